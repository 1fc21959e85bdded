// A statement expression.
// args: a
int main(int argc, char **argv) {
    int n = ({
        int m = argv[1][0];
        m * 2;
    });
    if (n == 'a' * 2)
        return 0;
    return 1;
}
