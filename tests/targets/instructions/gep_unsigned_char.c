// A table read through an unsigned byte.
// args: a

static const unsigned char table[256] = {['a'] = 3, ['b'] = 4};

int main(int argc, char **argv) {
    unsigned char i = argv[1][0];
    if (table[i] == 3)
    //~ access: arg[1][0] + ADDRESS; read of 1 bytes at offset 97 of global table of 256 bytes
    //~ branch: table0<256>[arg[1][0]] == 3
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
