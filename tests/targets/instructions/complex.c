// Complex arithmetic.
// args: ab
int main(int argc, char **argv) {
    double _Complex z = argv[1][0] + argv[1][1] * 1.0i;
    z = z * z;
    //~ branch: !unordered(((double)arg[1][0] + ((double)arg[1][1] & 0x8000000000000000)) * ((double)arg[1][0] + ((double)arg[1][1] & 0x8000000000000000)) - (double)arg[1][1] * (double)arg[1][1], 0)
    if (__real__ z == -195)
    //~ branch: ((double)arg[1][0] + ((double)arg[1][1] & 0x8000000000000000)) * ((double)arg[1][0] + ((double)arg[1][1] & 0x8000000000000000)) - (double)arg[1][1] * (double)arg[1][1] == -195.0
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
