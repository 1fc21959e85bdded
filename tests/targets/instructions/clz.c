// Leading zeros.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_clz(a) == 1) //~ branch: (arg[1][0..4]:u32 & 0xc0000000) == 0x40000000
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
