// Unaligned fields.
// args: abcdefg

struct packed {
    char tag;
    int number;
    short rest;
} __attribute__((packed));

int main(int argc, char **argv) {
    struct packed p;
    __builtin_memcpy(&p, argv[1], sizeof p);
    if (p.number == 0x65646362) //~ branch: arg[1][1..5]:u32 == 0x65646362
        return 0;
    return 1;
}

//~ sources: arg[1](7)
//~ no-loss
