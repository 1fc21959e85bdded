// Conversion to bool is a comparison with zero.
// args: abcd
int main(int argc, char **argv) {
    int a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    _Bool b = a & 0x0f0f0f0f;
    if (b) //~ branch: (arg[1][0..4]:u32 & 0xf0f0f0f) != 0
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
