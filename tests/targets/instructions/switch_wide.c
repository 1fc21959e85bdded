// A switch over 64 bits.
// args: abcdefgh
int main(int argc, char **argv) {
    long a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    switch (a) { //~ switch: arg[1][0..8]:u64 == 0x6867666564636261
    case 0x6867666564636261:
        return 0;
    case 0x6867666564636262:
        return 1;
    default:
        return 2;
    }
    return 0;
}

//~ sources: arg[1](8)
//~ no-loss
