// llvm.memcpy with its shadow.
// args: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaB
int main(int argc, char **argv) {
    char copy[40] = {0};
    __builtin_memcpy(copy + 3, argv[1], 33);
    if (copy[35] == 'B') //~ branch: arg[1][32] == 'B'
        return 0;
    return 1;
}

//~ sources: arg[1](33)
//~ no-loss
