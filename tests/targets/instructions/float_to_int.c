// Doubles to signed and unsigned integers.
// args: a
int main(int argc, char **argv) {
    double a = argv[1][0] / 4.0;
    if ((int)a != 24) //~ branch: (int32)((double)arg[1][0] * 0.25) == 24
        return 1;
    if ((unsigned long)(a * 2) == 48) //~ branch: (uint64)((double)arg[1][0] * 0.25 * 2.0) == 48
        return 0;
    return 2;
}

//~ sources: arg[1](1)
//~ no-loss
