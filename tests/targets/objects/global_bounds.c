// A read from a global by its name.
// args: 3

int squares[5] = {0, 1, 4, 9, 16};

int main(int argc, char **argv) {
    if (squares[argv[1][0] - '0'] == 9)
        return 0;
    return 1;
}
