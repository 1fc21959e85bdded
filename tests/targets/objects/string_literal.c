// A string literal is an object.
// args: 3
int main(int argc, char **argv) {
    const char *volatile text = "zyxwv";
    if (text[argv[1][0] - '0'] == 'w')
        return 0;
    return 1;
}
