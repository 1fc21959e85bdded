// Comparisons used as numbers are no branches.
// args: ab
int main(int argc, char **argv) {
    int n = (argv[1][0] == 'a') + (argv[1][1] > 'a') * 2;
    if (n == 3) //~ branch: (((int8)arg[1][1] > 'a' ? 2 : 0) | arg[1][0] == 'a') == 3
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
