// A static in a function.
// args: 3
int main(int argc, char **argv) {
    static char names[4][4] = {"aa", "bb", "cc", "dd"};
    if (names[argv[1][0] - '0'][0] == 'd')
    //~ access: ((int8)arg[1][0] - '0' << 2) + ADDRESS; read of 1 bytes at offset 12 of global main.names of 16 bytes
    //~ branch: table0<16>[(int8)arg[1][0] - '0' << 2] == 'd'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
