// All ordered comparisons of doubles.
// args: ab
int main(int argc, char **argv) {
    double a = argv[1][0] * 0.5, b = argv[1][1] * 0.5;
    if (a < b) //~ branch: (double)arg[1][0] * 0.5 < (double)arg[1][1] * 0.5
        a += 1;
    if (a <= b) //~ branch: !((double)arg[1][0] * 0.5 + 1.0 <= (double)arg[1][1] * 0.5)
        a += 1;
    if (a > b) //~ branch: (double)arg[1][1] * 0.5 < (double)arg[1][0] * 0.5 + 1.0
        a += 1;
    if (a >= b) //~ branch: (double)arg[1][1] * 0.5 <= (double)arg[1][0] * 0.5 + 1.0 + 1.0
        a += 1;
    if (a == b) //~ branch: (double)arg[1][1] * 0.5 != (double)arg[1][0] * 0.5 + 1.0 + 1.0 + 1.0
        return 1;
    if (a != b)
    //~ branch: unordered((double)arg[1][1] * 0.5, (double)arg[1][0] * 0.5 + 1.0 + 1.0 + 1.0) || ((double)arg[1][1] * 0.5 < (double)arg[1][0] * 0.5 + 1.0 + 1.0 + 1.0 || (double)arg[1][0] * 0.5 + 1.0 + 1.0 + 1.0 < (double)arg[1][1] * 0.5)
        return 0;
    return 2;
}

//~ sources: arg[1](2)
//~ no-loss
