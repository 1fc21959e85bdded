// The shift pattern over two words that becomes a funnel shift.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    unsigned n = (argv[1][0] & 15) + 1;
    if ((a << n | b >> (32 - n)) == 0x918d8985)
    //~[O0] branch: concat(arg[1][0..4]:u32, arg[1][4..8]:u32) << ((arg[1][0] & 15) + 1 & 31) >> 32 == 0x918d8985
    //~[O2] branch: concat(arg[1][0..4]:u32, arg[1][4..8]:u32) << ((arg[1][0..4]:u32 & 15) + 1 & 31) >> 32 == 0x918d8985
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
