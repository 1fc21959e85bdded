// break and continue.
// args: "a ;b"
int main(int argc, char **argv) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (argv[1][i] == ' ')
        //~ branch: arg[1][0] != ' '
        //~ branch: arg[1][1] == ' '
        //~ branch: arg[1][2] != ' '
            continue;
        if (argv[1][i] == ';')
        //~ branch: arg[1][0] != ';'
        //~ branch: arg[1][2] == ';'
            break;
        n++;
    }
    return n - 1;
}

//~ sources: arg[1](4)
//~ no-loss
