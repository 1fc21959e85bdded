// An empty argument has no bytes.
// args: "" x
int main(int argc, char **argv) {
    if (argv[1][0] == 0 && argv[2][0] == 'x') //~ branch: arg[2][0] == 'x'
        return 0;
    return 1;
}

//~ sources: arg[1](0) arg[2](1)
//~ no-loss
