// Number of bits set, 64 bits.
// args: abcdefgh
int main(int argc, char **argv) {
    unsigned long a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_popcountll(a) == 29)
        return 0;
    return 1;
}
