// Shift left by a constant and by a symbolic amount.
// args: abcdefgh
// exit: 1
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a << 8 == 0x63626100) //~ branch: arg[1][0..3]:u24 == 0x636261
        b &= 31;
    if (a << b == 0x6c6c2c20) //~ branch: arg[1][0..4]:u32 << (arg[1][4..8]:u32 & 31) != 0x6c6c2c20
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
