// Arithmetic shift right keeps the sign.
// args: abcdefgh
int main(int argc, char **argv) {
    int a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (-a >> 24 != -101) //~ branch: (0 - arg[1][0..4]:u32 & 0xff000000) == 0x9b000000
        return 1;
    if (-a >> (b & 15) < 0) //~ branch: (int32)arg[1][0..4]:u32 > 0
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
