// One argument chosen by name.
// args: ab c
// symbolic: arg:2
int main(int argc, char **argv) {
    if (argv[1][0] == 'a' && argv[2][0] == 'c') //~ branch: arg[2][0] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[2](1)
//~ no-loss
