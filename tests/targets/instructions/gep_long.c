// A table read through a 64-bit index.
// args: a

static const long table[16] = {0, 0x123456789, 2};

int main(int argc, char **argv) {
    unsigned long i = (unsigned char)argv[1][0] & 15;
    if (table[i] == 0x123456789)
    //~ access: ((arg[1][0] & 15) << 3) + ADDRESS; read of 8 bytes at offset 8 of global table of 128 bytes
    //~ branch: table0<128>[(arg[1][0] & 15) << 3]:u64 == 0x123456789
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
