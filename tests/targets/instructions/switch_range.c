// A switch with ranges of values.
// args: c
int main(int argc, char **argv) {
    switch (argv[1][0]) { //~ switch: (int8)arg[1][0] == 'c'
    case '0' ... '9':
        return 1;
    case 'a' ... 'f':
        return 0;
    case 'A' ... 'F':
        return 2;
    }
    return 3;
}

//~ sources: arg[1](1)
//~ no-loss
