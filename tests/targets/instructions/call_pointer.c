// A call through a pointer.
// args: dx

static int twice(int n) {
    return n * 2;
}

static int thrice(int n) {
    return n * 3;
}

int main(int argc, char **argv) {
    int (*volatile f)(int) = argv[1][0] == 'd' ? twice : thrice; //~ branch: arg[1][0] == 'd'
    if (f(argv[1][1]) == 'x' * 2) //~ branch: (int8)arg[1][1] << 1 == 240
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
