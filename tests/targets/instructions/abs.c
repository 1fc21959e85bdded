// The pattern that becomes llvm.abs.
// args: a
int main(int argc, char **argv) {
    int a = argv[1][0] - 'c';
    int size = a < 0 ? -a : a; //~ branch: (int8)arg[1][0] < 'c'
    if (size == 2) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
