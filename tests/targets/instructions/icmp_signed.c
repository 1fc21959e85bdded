// Signed comparisons.
// args: abcdefgh
int main(int argc, char **argv) {
    int a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (a < b) //~ branch: (int32)arg[1][0..4]:u32 < (int32)arg[1][4..8]:u32
        b ^= 1;
    if (a <= b) //~ branch: (int32)arg[1][0..4]:u32 <= (int32)(arg[1][4..8]:u32 ^ 1)
        b ^= 2;
    if (a > b) //~ branch: (int32)arg[1][0..4]:u32 <= (int32)(arg[1][4..8]:u32 ^ 3)
        b ^= 4;
    if (a >= b) //~ branch: (int32)arg[1][0..4]:u32 < (int32)(arg[1][4..8]:u32 ^ 3)
        return 1;
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
