// A read from a global by its name.
// args: 3

int squares[5] = {0, 1, 4, 9, 16};

int main(int argc, char **argv) {
    if (squares[argv[1][0] - '0'] == 9)
    //~ access: ((int8)arg[1][0] - '0' << 2) + ADDRESS; read of 4 bytes at offset 12 of global squares of 20 bytes
    //~ branch: table0<20>[(int8)arg[1][0] - '0' << 2]:u32 == 9
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
