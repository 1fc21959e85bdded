// Number of bits set, 64 bits.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned long a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_popcountll(a) == 29) //~ branch: ctpop(arg[1][0..8]:u64) == 29
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
