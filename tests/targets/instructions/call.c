// Arguments and result of a call.
// args: ab

__attribute__((noinline)) static int weigh(char a, int factor, long b) {
    return (int)(a * factor + b);
}

int main(int argc, char **argv) {
    if (weigh(argv[1][0], 10, argv[1][1]) == 'a' * 10 + 'b')
    //~ branch: (uint32)((int8)arg[1][0] * '\n' + (int8)arg[1][1]) == 1068
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
