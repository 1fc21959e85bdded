// An odd width of three bytes, signed.
// args: ab
int main(int argc, char **argv) {
    _BitInt(24) a = argv[1][0];
    a = a * 30000 * argv[1][1];
    if (a < 0) //~ branch: ((int8)arg[1][1] * ((int8)arg[1][0] * 0x7530) & 0x800000) != 0
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
