// Float to double and back.
// args: abcd
int main(int argc, char **argv) {
    float a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    double wide = a;
    if (wide * 3 > 1e22) //~ branch: (double)arg[1][0..4]:u32 * 3.0 > 1e22
        return (float)(wide * 3) == a;
    return 2;
}

//~ sources: arg[1](4)
//~ no-loss
