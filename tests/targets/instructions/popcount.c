// Number of bits set.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_popcount(a) == 13)
        return 0;
    return 1;
}
