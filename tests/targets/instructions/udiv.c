// Unsigned division: the divisor is a sensitive operation.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (b / a == 1)
    //~ divide: arg[1][0..4]:u32; unsigned
    //~ branch: arg[1][4..8]:u32 / arg[1][0..4]:u32 == 1
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
