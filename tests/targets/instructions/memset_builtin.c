// llvm.memset with a symbolic byte; and with a concrete one, which ends what was symbolic.
// args: a
int main(int argc, char **argv) {
    char copy[8];
    __builtin_memset(copy, argv[1][0], 8);
    if (copy[5] != 'a') //~ branch: arg[1][0] == 'a'
        return 1;
    __builtin_memset(copy, 0, 6);
    if (copy[5] == 0 && copy[6] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
