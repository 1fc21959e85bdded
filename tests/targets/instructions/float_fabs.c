// fabs, also as the builtin.
// args: a
int main(int argc, char **argv) {
    double a = argv[1][0] - 'c';
    if (__builtin_fabs(a) == 2) //~ branch: ((double)((int8)arg[1][0] - 'c') & 0x7fffffffffffffff) == 2.0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
