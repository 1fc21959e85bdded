// A big-endian number put together by hand.
// args: abcd
int main(int argc, char **argv) {
    const unsigned char *p = (const unsigned char *)argv[1];
    unsigned n = (unsigned)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
    if (n == 0x61626364)
    //~[O0] branch: (arg[1][3] | (arg[1][2] << 8 | concat(arg[1][0], arg[1][1] << 16))) == 0x61626364
    //~[O2] branch: (arg[1][3] | (concat(arg[1][0], arg[1][1] << 16) | arg[1][2] << 8)) == 0x61626364
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
