// llvm.memmove over itself.
// args: abcdefgh
int main(int argc, char **argv) {
    char copy[8];
    __builtin_memcpy(copy, argv[1], 8);
    __builtin_memmove(copy + 2, copy, 6);
    if (copy[2] == 'a' && copy[7] == 'f')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][5] == 'f'
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
