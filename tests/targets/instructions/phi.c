// A value that depends on the way taken.
// args: abc
int main(int argc, char **argv) {
    int n;
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        n = argv[1][1];
    else
        n = argv[1][2];
    if (n == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
