// A function picked from a table by the input: the index is fixed.
// args: 1x

static int up(int n) {
    return n + 1;
}

static int down(int n) {
    return n - 1;
}

static int (*const table[])(int) = {up, down};

int main(int argc, char **argv) {
    if (table[argv[1][0] - '0'](argv[1][1]) == 'x' - 1)
    //~ access: ((int8)arg[1][0] - '0' << 3) + ADDRESS; read of 8 bytes at offset 8 of global table of 16 bytes
    //~ concretise: table0<16>[(int8)arg[1][0] - '0' << 3]:u64 == ADDRESS
    //~ branch: arg[1][1] == 'x'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
