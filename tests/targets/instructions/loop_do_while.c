// A loop with its condition at the end.
// args: a
int main(int argc, char **argv) {
    unsigned a = (unsigned char)argv[1][0], digits = 0;
    do {
        digits++;
        a /= 10;
    } while (a != 0);
    //~ branch: arg[1][0] > '\t'
    //~ branch: arg[1][0] / '\n' <= 9
    return digits - 2;
}

//~ sources: arg[1](1)
//~ no-loss
