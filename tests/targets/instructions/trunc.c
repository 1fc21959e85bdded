// Truncation.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if ((unsigned short)(a * 3) == 0x2723) //~ branch: (arg[1][0..4]:u32 * 3 & 0xffff) == 0x2723
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
