// __builtin_mul_overflow, unsigned.
// args: abcdefgh
// exit: 1
int main(int argc, char **argv) {
    unsigned a, b, result;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (__builtin_mul_overflow(a, b, &result))
    //~ branch: arg[1][4..8]:u32 * arg[1][0..4]:u32 != (uint32)(arg[1][4..8]:u32 * arg[1][0..4]:u32)
        return 1;
    if (result == 7)
        return 2;
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
