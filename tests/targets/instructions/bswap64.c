// Byte swap, 64 bits.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned long a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_bswap64(a) == 0x6162636465666768) //~ branch: arg[1][0..8]:u64 == 0x6867666564636261
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
