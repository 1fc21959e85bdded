// Arithmetic in 64 bits.
// args: abcdefghijklmnop
int main(int argc, char **argv) {
    unsigned long a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a + b == 0) //~ branch: 0 - arg[1][8..16]:u64 != arg[1][0..8]:u64
        return 1;
    if (a < b) //~ branch: arg[1][0..8]:u64 < arg[1][8..16]:u64
        return 0;
    return 1;
}

//~ sources: arg[1](16)
//~ no-loss
