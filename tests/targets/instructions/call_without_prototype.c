// A call without a prototype.
// args: ab
// cc: -Wno-deprecated-non-prototype

static int add(int a, int b) {
    return a + b;
}

int main(int argc, char **argv) {
    int (*volatile f)() = (int (*)())add;
    if (f(argv[1][0], argv[1][1]) == 195) //~ branch: (int8)arg[1][1] + (int8)arg[1][0] == 195
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
