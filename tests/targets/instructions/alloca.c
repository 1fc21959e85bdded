// alloca of symbolic size; fresh memory is concrete.
// args: ab
int main(int argc, char **argv) {
    char *p = __builtin_alloca(argv[1][0]);
    p[1] = argv[1][1];
    if (p[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
