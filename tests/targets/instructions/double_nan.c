// A NaN is unequal to itself.
// args: "abcdef\xff\x7f"
int main(int argc, char **argv) {
    double a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (a == a) //~ branch: unordered(arg[1][0..8]:u64, 0)
        return 1;
    if (!(a < 1) && !(a >= 1))
    //~ branch: unordered(arg[1][0..8]:u64, 0x3ff0000000000000) || arg[1][0..8]:u64 >= 1.0
    //~ branch: unordered(arg[1][0..8]:u64, 0x3ff0000000000000) || arg[1][0..8]:u64 < 1.0
        return 0;
    return 2;
}

//~ sources: arg[1](8)
//~ no-loss
