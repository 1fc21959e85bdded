// Logical shift right.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (a >> 24 != 'd') //~ branch: (arg[1][0..4]:u32 & 0xff000000) == 0x64000000
        return 1;
    if (a >> (b & 31) == 0x3231b13) //~ branch: arg[1][0..4]:u32 >> (arg[1][4..8]:u32 & 31) == 0x3231b13
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
