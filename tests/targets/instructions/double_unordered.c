// __builtin_isunordered and isless.
// args: abcdefgh
int main(int argc, char **argv) {
    double a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_isunordered(a, 1.0)) //~ branch: !unordered(arg[1][0..8]:u64, 0)
        return 1;
    if (__builtin_isless(a, 1e200)) //~ branch: arg[1][0..8]:u64 < 1e200
        return 0;
    return 2;
}

//~ sources: arg[1](8)
//~ no-loss
