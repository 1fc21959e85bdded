// The shift pattern that becomes a rotation.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if ((a << 5 | a >> 27) == 0x8c6c4c2c)
        return 0;
    return 1;
}
