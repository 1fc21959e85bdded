// Multiplication of two symbolic values.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (a * b == 0x316f7645) //~ branch: arg[1][4..8]:u32 * arg[1][0..4]:u32 == 0x316f7645
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
