// A logical operator whose value is kept.
// args: abc
int main(int argc, char **argv) {
    int both = argv[1][0] == 'a' && argv[1][1] == 'b';
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] == 'b'
    int either = argv[1][0] == 'x' || argv[1][2] == 'c';
    //~ branch: arg[1][0] != 'x'
    //~ branch: arg[1][2] == 'c'
    return both + either - 2;
}

//~ sources: arg[1](3)
//~ no-loss
