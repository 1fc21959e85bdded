// fmod.
// args: a
// cc: -lm
int main(int argc, char **argv) {
    double a = argv[1][0];
    if (__builtin_fmod(a, 10.0) == 7) //~ loss: not instrumented and not modelled/call of fmod
        return 0;
    return 1;
}

//~ sources: arg[1](1)
