// Rotation right, 16 bits.
// args: abcd
int main(int argc, char **argv) {
    unsigned short a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_rotateright16(a, 4) == 0x1626)
        return 0;
    return 1;
}
