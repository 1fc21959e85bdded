// Rotation by a constant.
// args: abcd
int main(int argc, char **argv) {
    unsigned a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (__builtin_rotateleft32(a, 8) == 0x63626164)
        return 0;
    return 1;
}
