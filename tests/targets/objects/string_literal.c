// A string literal is an object.
// args: 3
int main(int argc, char **argv) {
    const char *volatile text = "zyxwv";
    if (text[argv[1][0] - '0'] == 'w')
    //~ access: (int8)arg[1][0] + ADDRESS; read of 1 bytes at offset 3 of global .str of 6 bytes
    //~ branch: table0<6>[(int8)arg[1][0] - '0'] == 'w'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
