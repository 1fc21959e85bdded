// A static local keeps a symbolic value between calls.
// args: a

__attribute__((noinline)) static int last(int value) {
    static int kept;
    int old = kept;
    kept = value;
    return old;
}

int main(int argc, char **argv) {
    last(argv[1][0]);
    if (last(0) == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
