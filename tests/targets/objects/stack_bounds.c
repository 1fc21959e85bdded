// A read from a stack object.
// args: 3
int main(int argc, char **argv) {
    char text[8] = "abcdefg";
    if (text[argv[1][0] - '0'] == 'd')
        return 0;
    return 1;
}
