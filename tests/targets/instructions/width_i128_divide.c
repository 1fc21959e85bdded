// Multiplication and division in 128 bits.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned long a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    unsigned __int128 square = (unsigned __int128)a * a;
    if (square >> 64 == 0x2aa2b1d1)
    //~ branch: (arg[1][0..8]:u64 * arg[1][0..8]:u64 & 0xffffffffffffffff0000000000000000) != 0x2aa2b1d10000000000000000
        return 1;
    if ((unsigned long)(square / 1000) == 3) //~ branch: (uint64)(arg[1][0..8]:u64 * arg[1][0..8]:u64 / 1000) != 3
        return 1;
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
