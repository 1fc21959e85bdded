// Compound literals and designated initialisers.
// args: ab
int main(int argc, char **argv) {
    int *p = (int[]){argv[1][0], [3] = argv[1][1]};
    if (p[3] == 'b' && p[1] == 0) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
