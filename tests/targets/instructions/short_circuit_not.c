// Double negation.
// args: a
int main(int argc, char **argv) {
    if (!!(argv[1][0] & 1) == 1) //~ branch: (arg[1][0] & 1) != 0
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
