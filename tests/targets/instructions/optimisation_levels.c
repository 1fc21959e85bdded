// The same path condition at every level of optimisation.
// args: "a 1b"
// flags: -O0
// flags: -O1
// flags: -O2
// flags: -O3
// flags: -Os
// flags: -Oz
int main(int argc, char **argv) {
    int spaces = 0, digits = 0;
    for (int i = 0; i < 4; i++) {
        char c = argv[1][i];
        if (c == ' ')
        //~ branch: arg[1][0] != ' '
        //~ branch: arg[1][1] == ' '
        //~ branch: arg[1][2] != ' '
        //~ branch: arg[1][3] != ' '
            spaces++;
        else if (c >= '0' && c <= '9')
        //~ branch: (int8)arg[1][0] > '/'
        //~ branch: (int8)arg[1][0] >= ':'
        //~ branch: (int8)arg[1][2] > '/'
        //~ branch: (int8)arg[1][2] < ':'
        //~ branch: (int8)arg[1][3] > '/'
        //~ branch: (int8)arg[1][3] >= ':'
            digits++;
    }
    return spaces - digits;
}

//~ sources: arg[1](4)
//~ no-loss
