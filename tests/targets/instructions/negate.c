// Arithmetic negation.
// args: abcdefgh
int main(int argc, char **argv) {
    int a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (-a == b) //~ branch: 0 - arg[1][0..4]:u32 != arg[1][4..8]:u32
        return 1;
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
