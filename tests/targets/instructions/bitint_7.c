// An odd width that fits a byte.
// args: ab
int main(int argc, char **argv) {
    unsigned _BitInt(7) a = argv[1][0], b = argv[1][1];
    a += b;
    if (a == 67) //~ branch: (arg[1][1] + arg[1][0] & 127) == 67
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
