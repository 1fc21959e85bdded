// The default of a switch.
// args: a
int main(int argc, char **argv) {
    switch (argv[1][0] & 7) { //~ switch: (arg[1][0] & 7) == 1
    case 0:
    case 2:
        return 1;
    default:
        return 0;
    }
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
