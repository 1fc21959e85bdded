// Rotation by a symbolic amount.
// args: abcde
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    unsigned n = argv[1][4];
    if ((a << (n & 31) | a >> (-n & 31)) == 0x8c6c4c2c)
    //~ branch: concat(arg[1][0..4]:u32, arg[1][0..4]:u32) << (arg[1][4] & 31) >> 32 == 0x8c6c4c2c
        return 0;
    return 1;
}

//~ sources: arg[1](5)
//~ no-loss
