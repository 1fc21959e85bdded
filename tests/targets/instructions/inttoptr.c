// A pointer made from symbolic bits.
// args: a
int main(int argc, char **argv) {
    static char buffer[256] __attribute__((aligned(256)));
    char *p = (char *)((unsigned long)buffer | (unsigned char)argv[1][0]);
    if (p == buffer + 'a')
        return 0;
    return 1;
}
