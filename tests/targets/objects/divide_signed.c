// A signed division: the divisor is an event.
// args: a
int main(int argc, char **argv) {
    int d = argv[1][0] - 'a';
    if (100 / (d + 4) == 25)
        return 0;
    return 1;
}
