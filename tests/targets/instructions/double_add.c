// Addition and subtraction of doubles.
// args: abcdefghijklmnop
int main(int argc, char **argv) {
    double a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a + b < 1e200) //~ branch: !(arg[1][0..8]:u64 + arg[1][8..16]:u64 < 1e200)
        return 1;
    if (a - b < 0) //~ branch: arg[1][0..8]:u64 < arg[1][8..16]:u64
        return 0;
    return 2;
}

//~ sources: arg[1](16)
//~ no-loss
