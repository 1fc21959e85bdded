// Arithmetic in 16 bits.
// args: abcd
int main(int argc, char **argv) {
    unsigned short a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    unsigned short sum = a * b;
    if (sum == 0x1234) //~ branch: arg[1][2..4]:u16 * arg[1][0..2]:u16 != 4660
        return 1;
    if (a < b) //~ branch: arg[1][0..2]:u16 < arg[1][2..4]:u16
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
