// Shift left by a constant and by a symbolic amount.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (a << 8 != 0x63626100) //~ branch: arg[1][0..3]:u24 == 0x636261
        return 1;
    if (a << (b & 31) == 0x8c6c4c20) //~ branch: arg[1][0..4]:u32 << (arg[1][4..8]:u32 & 31) == 0x8c6c4c20
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
