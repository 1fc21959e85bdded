// floor, ceil, trunc, rint.
// args: a
// cc: -lm
int main(int argc, char **argv) {
    double a = argv[1][0] * 0.5;
    if (__builtin_floor(a) != 48)
    //~ branch: !(unordered(floor((double)arg[1][0] * 0.5), 0x4048000000000000) || (floor((double)arg[1][0] * 0.5) > 48.0 || floor((double)arg[1][0] * 0.5) < 48.0))
        return 1;
    if (__builtin_ceil(a) != 49)
    //~ branch: !(unordered(ceil((double)arg[1][0] * 0.5), 0x4048800000000000) || (ceil((double)arg[1][0] * 0.5) > 49.0 || ceil((double)arg[1][0] * 0.5) < 49.0))
        return 2;
    if (__builtin_trunc(-a) != -48)
    //~ branch: !(unordered(trunc((double)arg[1][0] * 0.5 ^ 0x8000000000000000), 0xc048000000000000) || (trunc((double)arg[1][0] * 0.5 ^ 0x8000000000000000) > -48.0 || trunc((double)arg[1][0] * 0.5 ^ 0x8000000000000000) < -48.0))
        return 3;
    if (__builtin_rint(a) == 48) //~ branch: rint((double)arg[1][0] * 0.5) == 48.0
        return 0;
    return 4;
}

//~ sources: arg[1](1)
//~ no-loss
