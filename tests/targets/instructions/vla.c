// An array of symbolic length: its object has the concrete size.
// args: 3bc
int main(int argc, char **argv) {
    int n = argv[1][0] - '0';
    char buffer[n];
    for (int i = 0; i < 3; i++)
        buffer[i] = argv[1][i];
    if (buffer[2] == 'c')
        return 0;
    return 1;
}
