// One view of the bytes written through another.
// args: a
int main(int argc, char **argv) {
    union {
        unsigned word;
        unsigned char bytes[4];
    } u;
    u.word = 0;
    u.bytes[1] = argv[1][0];
    if (u.word == 0x6100) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
