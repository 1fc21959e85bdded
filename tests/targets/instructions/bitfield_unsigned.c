// Reads and writes of unsigned bit fields.
// args: ab
int main(int argc, char **argv) {
    struct {
        unsigned low : 3, middle : 7, high : 22;
    } f = {0};
    f.middle = argv[1][0];
    f.low = argv[1][1];
    if (f.middle == 'a' && f.low == 2)
    //~ branch: (arg[1][0] & 127) == 97
    //~ branch: (arg[1][1] & 7) == 2
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
