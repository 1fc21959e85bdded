// __builtin_sub_overflow, signed.
// args: abcdefgh
// exit: 0
int main(int argc, char **argv) {
    int a, b, result;
    __builtin_memcpy(&a, argv[1], sizeof a);
    __builtin_memcpy(&b, argv[1] + 4, sizeof b);
    if (__builtin_sub_overflow(a, b, &result))
        return 1;
    if (result == 7)
        return 2;
    return 0;
}
