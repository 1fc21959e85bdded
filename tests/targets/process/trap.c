// __builtin_trap.
// args: a
// exit: signal 4
int main(int argc, char **argv) {
    if (argv[1][0] == 'a')
        __builtin_trap();
    return 0;
}
