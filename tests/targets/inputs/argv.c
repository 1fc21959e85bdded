// Arguments, all of them.
// args: ab c
int main(int argc, char **argv) {
    if (argc == 3 && argv[1][1] == 'b' && argv[2][0] == 'c')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[2][0] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](2) arg[2](1)
//~ no-loss
