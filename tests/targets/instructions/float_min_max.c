// fmin and fmax.
// args: ab
// cc: -lm
int main(int argc, char **argv) {
    double a = argv[1][0], b = argv[1][1];
    if (__builtin_fmin(a, b) == 'a' && __builtin_fmax(a, b) == 'b')
    //~ branch: fmin((double)arg[1][0], (double)arg[1][1]) == 97.0
    //~ branch: fmax((double)arg[1][0], (double)arg[1][1]) == 98.0
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
