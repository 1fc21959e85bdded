// The object of an element inside a structure is the whole stack object.
// args: 3
int main(int argc, char **argv) {
    struct {
        int before;
        short items[6];
        int after;
    } s = {1, {10, 20, 30, 40, 50, 60}, 2};
    if (s.items[argv[1][0] - '0'] == 40)
    //~ access: ((int8)arg[1][0] - '0' << 1) + ADDRESS; read of 2 bytes at offset 10 of global __const.main.s of 20 bytes
    //~ branch: table0<20>[((int8)arg[1][0] - '0' << 1) + 4]:u16 == 40
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
