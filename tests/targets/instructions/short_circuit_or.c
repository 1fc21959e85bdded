// Each operand of || is a condition of its own.
// args: abc
int main(int argc, char **argv) {
    if (argv[1][0] == 'x' || argv[1][1] == 'b' || argv[1][2] == 'c')
        return 0;
    return 1;
}
