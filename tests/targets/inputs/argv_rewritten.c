// A program may write over its arguments.
// args: ab
int main(int argc, char **argv) {
    argv[1][0] = 'z';
    if (argv[1][0] == 'z' && argv[1][1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
