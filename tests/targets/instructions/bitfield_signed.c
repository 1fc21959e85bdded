// A signed bit field is sign-extended.
// args: n
int main(int argc, char **argv) {
    struct {
        int low : 4, high : 28;
    } f = {0};
    f.low = argv[1][0];
    if (f.low == -2) //~ branch: (arg[1][0] & 15) == 14
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
