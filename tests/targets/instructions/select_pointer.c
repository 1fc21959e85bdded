// A conditional operator over pointers.
// args: xb
int main(int argc, char **argv) {
    char *p = argv[1][0] == 'x' ? argv[1] + 1 : argv[1] + 2; //~ branch: arg[1][0] == 'x'
    if (*p == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
