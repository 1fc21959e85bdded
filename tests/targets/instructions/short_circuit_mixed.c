// A mixture with negations, over several lines.
// args: abc
int main(int argc, char **argv) {
    if ((argv[1][0] == 'x' || !(argv[1][1] < 'a')) &&
        !(argv[1][2] == 'y' ||
          argv[1][2] == 'z'))
        return 0;
    return 1;
}
