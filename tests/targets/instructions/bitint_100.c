// An odd width beyond 64 bits.
// args: a
int main(int argc, char **argv) {
    unsigned _BitInt(100) a = argv[1][0];
    a = (a << 92) >> 90;
    if (a == 'a' * 4) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
