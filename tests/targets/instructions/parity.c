// Parity.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_parity(a) == 1)
        return 0;
    return 1;
}
