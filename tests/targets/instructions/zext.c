// Zero extension.
// args: "\xe1"
int main(int argc, char **argv) {
    unsigned char a = argv[1][0];
    unsigned long wide = a;
    if (wide * 0x1000000 == 0xe1000000) //~ branch: arg[1][0] == 225
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
