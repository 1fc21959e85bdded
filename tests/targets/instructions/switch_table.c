// A switch whose results the optimiser puts into a table.
// args: c
int main(int argc, char **argv) {
    int n;
    switch (argv[1][0]) { //~ switch: (int8)arg[1][0] == 'c'
    case 'a':
        n = 11;
        break;
    case 'b':
        n = 7;
        break;
    case 'c':
        n = 5;
        break;
    case 'd':
        n = 3;
        break;
    default:
        n = 0;
    }
    return n - 5;
}

//~ sources: arg[1](1)
//~ no-loss
