// fmod without errno is an instruction.
// args: a
// cc: -fno-math-errno -lm
int main(int argc, char **argv) {
    double a = argv[1][0];
    if (__builtin_fmod(a, 10.0) == 7) //~ branch: fmod((double)arg[1][0], 0x4024000000000000) == 7.0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
