// Each operand of && is a condition of its own.
// args: abc
int main(int argc, char **argv) {
    if (argv[1][0] == 'a' && argv[1][1] == 'b' && argv[1][2] == 'x')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][2] != 'x'
        return 1;
    return 0;
}

//~ sources: arg[1](3)
//~ no-loss
