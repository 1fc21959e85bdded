// The pattern that becomes llvm.umin.
// args: ab
int main(int argc, char **argv) {
    unsigned char a = argv[1][0], b = argv[1][1];
    unsigned char c = a < b ? a : b; //~ branch: arg[1][0] < arg[1][1]
    if (c == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
