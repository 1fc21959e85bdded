// Square root as an instruction.
// args: a
// cc: -fno-math-errno -lm
int main(int argc, char **argv) {
    double a = argv[1][0] - 'a' + 9;
    if (__builtin_sqrt(a) == 3) //~ branch: sqrt((double)((int8)arg[1][0] - 'X')) == 3.0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
