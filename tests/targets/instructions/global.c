// Globals, also of static functions.
// args: a

int kept;
static int own = 5;

__attribute__((noinline)) static void set(int value) {
    kept = value;
}

int main(int argc, char **argv) {
    set(argv[1][0]);
    if (kept + own == 'a' + 5) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
