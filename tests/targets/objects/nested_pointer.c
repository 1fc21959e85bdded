// A pointer read through a symbolic index: the address is fixed.
// args: 2
int main(int argc, char **argv) {
    static const char *const words[] = {"zero", "one", "two", "three"};
    if (words[argv[1][0] - '0'][1] == 'w')
        return 0;
    return 1;
}
