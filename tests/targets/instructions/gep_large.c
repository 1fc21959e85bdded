// A table beyond the size that is kept as a term: the loss is stated.
// args: ab

int table[65536];

int main(int argc, char **argv) {
    unsigned short i;
    __builtin_memcpy(&i, argv[1], sizeof i);
    if (table[i] == 0)
    //~ access: (arg[1][0..2]:u16 << 2) + ADDRESS; read of 4 bytes at offset 100740 of global table of 262144 bytes
    //~ concretise: (arg[1][0..2]:u16 << 2) + ADDRESS == ADDRESS
    //~ loss: symbolic address into a large or unknown object/
        return 0;
    return 1;
}

//~ sources: arg[1](2)
