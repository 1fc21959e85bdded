// Double negation.
// args: a
int main(int argc, char **argv) {
    if (!!(argv[1][0] & 1) == 1)
        return 0;
    return 1;
}
