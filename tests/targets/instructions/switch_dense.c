// A switch over neighbouring values.
// args: c
int main(int argc, char **argv) {
    switch (argv[1][0]) { //~ switch: (int8)arg[1][0] == 'c'
    case 'a':
        return 1;
    case 'b':
        return 2;
    case 'c':
        return 0;
    case 'd':
        return 4;
    case 'e':
        return 5;
    default:
        return 6;
    }
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
