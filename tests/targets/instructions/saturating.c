// Saturating addition and subtraction.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (__builtin_elementwise_add_sat(a, 0xc0000000u) != 0xffffffff) //~ branch: arg[1][0..4]:u32 >= 0x3fffffff
        return 1;
    if (__builtin_elementwise_sub_sat(a, b) == 0) //~ branch: arg[1][0..4]:u32 <= arg[1][4..8]:u32
        return 0;
    return 2;
}

//~ sources: arg[1](8)
//~ no-loss
