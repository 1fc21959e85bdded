// A pointer made from symbolic bits.
// args: a
int main(int argc, char **argv) {
    static char buffer[256] __attribute__((aligned(256)));
    char *p = (char *)((unsigned long)buffer | (unsigned char)argv[1][0]);
    if (p == &buffer['a']) //~ branch: (arg[1][0] | ADDRESS) == ADDRESS
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
