// Each operand of || is a condition of its own.
// args: abc
int main(int argc, char **argv) {
    if (argv[1][0] == 'x' || argv[1][1] == 'b' || argv[1][2] == 'c')
    //~ branch: arg[1][0] != 'x'
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
