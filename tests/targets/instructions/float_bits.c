// The bits of a float computed from the input.
// args: a
int main(int argc, char **argv) {
    float a = argv[1][0];
    unsigned bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    if (bits >> 23 == 133) //~ branch: ((float)arg[1][0] & 0xff800000) == 0x42800000
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
