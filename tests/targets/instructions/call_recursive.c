// Recursion with a symbolic accumulator.
// args: abc

__attribute__((noinline)) static int sum(const char *s, int n) {
    return n == 0 ? 0 : *s + sum(s + 1, n - 1);
}

int main(int argc, char **argv) {
    if (sum(argv[1], 3) == 'a' + 'b' + 'c') //~ branch: (int8)arg[1][2] + ((int8)arg[1][1] + (int8)arg[1][0]) == 294
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
