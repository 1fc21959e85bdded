// Bit reversal.
// args: abcd
int main(int argc, char **argv) {
    unsigned char a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_bitreverse8(a) == 0x86) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
