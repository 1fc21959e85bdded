// Unsigned comparisons.
// args: ab
int main(int argc, char **argv) {
    unsigned char a = argv[1][0], b = argv[1][1];
    if (a < b) //~ branch: arg[1][0] < arg[1][1]
        b++;
    if (a <= b) //~ branch: arg[1][0] <= arg[1][1] + 1
        b++;
    if (a > b) //~ branch: arg[1][0] <= arg[1][1] + 2
        b++;
    if (a >= b) //~ branch: arg[1][0] < arg[1][1] + 2
        return 1;
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
