// Callbacks through two levels.
// args: a

static int twice(int n) {
    return n * 2;
}

__attribute__((noinline)) static int apply(int (*f)(int), int n) {
    return f(n);
}

int main(int argc, char **argv) {
    if (apply(twice, argv[1][0]) == 'a' * 2) //~ branch: (int8)arg[1][0] << 1 == 194
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
