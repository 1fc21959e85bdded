// Arithmetic in 128 bits.
// args: abcdefghijklmnop
int main(int argc, char **argv) {
    unsigned __int128 a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (a >> 120 != 'p')
    //~ branch: (arg[1][0..16]:u128 & 0xff000000000000000000000000000000) == 0x70000000000000000000000000000000
        return 1;
    if ((unsigned long)(a + 1) == 0x6867666564636262) //~ branch: arg[1][0..8]:u64 == 0x6867666564636261
        return 0;
    return 1;
}

//~ sources: arg[1](16)
//~ no-loss
