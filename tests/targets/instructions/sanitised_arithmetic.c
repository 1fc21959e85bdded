// -fsanitize=signed-integer-overflow with traps: the check is a derived condition.
// args: a
// cc: -fsanitize=signed-integer-overflow -fsanitize-trap=all
int main(int argc, char **argv) {
    int a = argv[1][0] * 1000;
    if (a * 1000 == 97000000)
        return 0;
    return 1;
}
