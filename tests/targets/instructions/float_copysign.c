// copysign.
// args: a
int main(int argc, char **argv) {
    double a = argv[1][0] - 'c';
    if (__builtin_copysign(3.0, a) == -3)
    //~ branch: ((double)((int8)arg[1][0] - 'c') & 0x8000000000000000 | 0x4008000000000000) == -3.0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
