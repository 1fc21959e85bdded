// The difference of two pointers.
// args: 3xyz
int main(int argc, char **argv) {
    const char *p = argv[1] + (argv[1][0] - '0');
    if (p - argv[1] == 3) //~ branch: arg[1][0] == '3'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
