// Sign extension.
// args: "\xe1"
int main(int argc, char **argv) {
    signed char a = argv[1][0];
    long wide = a;
    if (wide == -31) //~ branch: arg[1][0] == 225
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
