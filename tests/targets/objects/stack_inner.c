// The object of an element inside a structure is the whole stack object.
// args: 3
int main(int argc, char **argv) {
    struct {
        int before;
        short items[6];
        int after;
    } s;
    for (int i = 0; i < 6; i++)
        s.items[i] = i * argc;
    if (s.items[argv[1][0] - '0'] == 6)
    //~ access: ((int8)arg[1][0] - '0' << 1) + ADDRESS; read of 2 bytes at offset 10 of stack object of 20 bytes
    //~ branch: table0<20>[((int8)arg[1][0] - '0' << 1) + 4]:u16 == 6
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
