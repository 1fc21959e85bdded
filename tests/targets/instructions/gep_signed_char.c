// A table read through a narrow signed index, the table in the middle of its object.
// args: "\xfe"

static const short table[256] = {[126] = 7, [128] = 9};

int main(int argc, char **argv) {
    signed char i = argv[1][0];
    const short *middle = table + 128;
    if (middle[i] == 7)
    //~ access: ((int8)arg[1][0] << 1) + ADDRESS; read of 2 bytes at offset 252 of global table of 512 bytes
    //~ branch: table0<512>[((int8)arg[1][0] << 1) + 256]:u16 == 7
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
