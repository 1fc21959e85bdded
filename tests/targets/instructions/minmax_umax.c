// The pattern that becomes llvm.umax.
// args: ab
int main(int argc, char **argv) {
    unsigned char a = argv[1][0], b = argv[1][1];
    unsigned char c = a > b ? a : b; //~ branch: arg[1][0] <= arg[1][1]
    if (c == 'a') //~ branch: arg[1][1] != 'a'
        return 1;
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
