// A table read through a 16-bit signed index.
// args: a

static const int table[20] = {[8] = 42};

int main(int argc, char **argv) {
    short i = argv[1][0] - 'c';
    if (table[10 + i] == 42)
    //~ access: ((int8)arg[1][0] - 'Y' << 2) + ADDRESS; read of 4 bytes at offset 32 of global table of 80 bytes
    //~ branch: table0<80>[(int8)arg[1][0] - 'Y' << 2]:u32 == 42
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
