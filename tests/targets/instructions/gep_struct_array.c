// A field of a structure in an array.
// args: b

struct {
    char name[3];
    int value;
} table[4] = {{"aa", 10}, {"bb", 20}, {"cc", 30}};

int main(int argc, char **argv) {
    int i = argv[1][0] - 'a';
    if (table[i].value == 20)
    //~ access: ((int8)arg[1][0] - 'a' << 3) + ADDRESS; read of 4 bytes at offset 12 of global table of 32 bytes
    //~ branch: table0<32>[((int8)arg[1][0] - 'a' << 3) + 4]:u32 == 20
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
