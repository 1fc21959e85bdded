// Multiplication by constants, one of them a power of two.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a * 10 == 0xebe1d7ca) //~ branch: arg[1][0..4]:u32 * 10 == 0xebe1d7ca
        return 0;
    if (b * 8 != 0)
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
