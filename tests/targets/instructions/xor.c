// Exclusive or.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if ((a ^ b) == 0x0c040404) //~ branch: (arg[1][4..8]:u32 ^ arg[1][0..4]:u32) == 0xc040404
        return 0;
    if ((a ^ 0x01010101) == 0)
        return 1;
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
