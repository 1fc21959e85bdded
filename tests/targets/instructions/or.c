// Bitwise or.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if ((a | b) == 0) //~ branch: (arg[1][4..8]:u32 | arg[1][0..4]:u32) != 0
        return 1;
    if ((a | 0xff) == 0x646362ff) //~ branch: (arg[1][0..4]:u32 & -256) == 0x64636200
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
