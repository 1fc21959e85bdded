// A remainder is a division too.
// args: a
int main(int argc, char **argv) {
    unsigned d = (unsigned char)argv[1][0];
    if (1000 % d == 30)
    //~ divide: arg[1][0]; unsigned
    //~ branch: 1000 % arg[1][0] == 30
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
