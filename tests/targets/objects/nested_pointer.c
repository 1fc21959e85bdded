// A pointer read through a symbolic index: the address is fixed.
// args: 2
int main(int argc, char **argv) {
    static const char *const words[] = {"zero", "one", "two", "three"};
    if (words[argv[1][0] - '0'][1] == 'w')
    //~ access: ((int8)arg[1][0] - '0' << 3) + ADDRESS; read of 8 bytes at offset 16 of global main.words of 32 bytes
    //~ access: table0<32>[(int8)arg[1][0] - '0' << 3]:u64 + 1; read of 1 bytes at offset 1 of global .str.2 of 4 bytes
    //~ branch: table1<4>[table0<32>[(int8)arg[1][0] - '0' << 3]:u64 - ADDRESS] == 'w'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
