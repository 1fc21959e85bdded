// A pointer with a symbolic offset, as a number.
// args: a
int main(int argc, char **argv) {
    static char buffer[256];
    unsigned long base = (unsigned long)buffer, there = (unsigned long)(buffer + argv[1][0]);
    if (there - base == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
