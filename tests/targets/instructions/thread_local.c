// Thread-local variables.
// args: a

_Thread_local int own;

int main(int argc, char **argv) {
    own = argv[1][0];
    if (own == 'a')
        return 0;
    return 1;
}
