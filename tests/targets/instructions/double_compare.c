// All ordered comparisons of doubles.
// args: ab
int main(int argc, char **argv) {
    double a = argv[1][0] * 0.5, b = argv[1][1] * 0.5;
    if (a < b) //~ branch: (double)arg[1][0] * 0x3fe0000000000000 < (double)arg[1][1] * 0x3fe0000000000000
        a += 1;
    if (a <= b)
    //~ branch: !((double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 <= (double)arg[1][1] * 0x3fe0000000000000)
        a += 1;
    if (a > b)
    //~ branch: (double)arg[1][1] * 0x3fe0000000000000 < (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000
        a += 1;
    if (a >= b)
    //~ branch: (double)arg[1][1] * 0x3fe0000000000000 <= (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000
        a += 1;
    if (a == b)
    //~ branch: (double)arg[1][1] * 0x3fe0000000000000 != (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000
        return 1;
    if (a != b)
    //~ branch: unordered((double)arg[1][1] * 0x3fe0000000000000, (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000) || ((double)arg[1][1] * 0x3fe0000000000000 < (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 || (double)arg[1][0] * 0x3fe0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 + 0x3ff0000000000000 < (double)arg[1][1] * 0x3fe0000000000000)
        return 0;
    return 2;
}

//~ sources: arg[1](2)
//~ no-loss
