// Addition and subtraction of doubles.
// args: abcdefghijklmnop
int main(int argc, char **argv) {
    double a, b;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + sizeof a, sizeof b);
    if (a + b < 1e200)
        return 1;
    if (a - b < 0)
        return 0;
    return 2;
}
