// The shift pattern that becomes a rotation.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if ((a << 5 | a >> 27) == 0x8c6c4c2c) //~ branch: arg[1][0..4]:u32 == 0x64636261
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
