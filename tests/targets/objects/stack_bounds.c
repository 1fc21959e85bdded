// A read from a stack object.
// args: 3bcdefgh
int main(int argc, char **argv) {
    char text[8];
    for (int i = 0; i < 8; i++)
        text[i] = argv[1][i];
    if (text[argv[1][0] - '0'] == 'd')
    //~ access: (int8)arg[1][0] + ADDRESS; read of 1 bytes at offset 3 of stack object of 8 bytes
    //~ branch: table0<8>[(int8)arg[1][0] - '0'] == 'd'
        return 0;
    return 1;
}

//~ sources: arg[1](8)
//~ no-loss
