// A static in a function.
// args: 3
int main(int argc, char **argv) {
    static char names[4][4] = {"aa", "bb", "cc", "dd"};
    if (names[argv[1][0] - '0'][0] == 'd')
        return 0;
    return 1;
}
