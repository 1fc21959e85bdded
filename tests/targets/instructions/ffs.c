// The first bit set.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_ffs(a & ~1) == 6)
    //~ branch: arg[1][0..4]:u32 >= 2
    //~ branch: (arg[1][0..4]:u32 & 62) == 32
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
