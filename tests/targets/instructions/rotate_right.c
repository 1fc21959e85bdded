// Rotation right, 16 bits.
// args: abcd
int main(int argc, char **argv) {
    unsigned short a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_rotateright16(a, 4) == 0x1626) //~ branch: arg[1][0..2]:u16 == 0x6261
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
