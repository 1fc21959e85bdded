// A fused multiply-add.
// args: a
// cc: -lm
int main(int argc, char **argv) {
    double a = argv[1][0];
    if (__builtin_fma(a, 2.0, 1.0) == 195)
    //~ branch: fma((double)arg[1][0], 0x4000000000000000, 0x3ff0000000000000) == 195.0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
