// Thread-local variables.
// args: a

_Thread_local int own;

int main(int argc, char **argv) {
    own = argv[1][0];
    if (own == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
