// A read through a symbolic index from symbolic content.
// args: abcd
int main(int argc, char **argv) {
    char copy[4];
    __builtin_memcpy(copy, argv[1], 4);
    if (copy[argv[1][0] & 3] == 'b')
    //~[O0] access: (arg[1][0] & 3) + ADDRESS; read of 1 bytes at offset 1 of stack object of 4 bytes
    //~[O0] branch: table0<4>[arg[1][0] & 3] == 'b'
    //~[O2] access: (arg[1][0..4]:u32 & 3) + ADDRESS; read of 1 bytes at offset 1 of stack object of 4 bytes
    //~[O2] branch: table0<4>[arg[1][0..4]:u32 & 3] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
