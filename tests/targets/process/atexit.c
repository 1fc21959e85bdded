// Handlers run with their shadows, and may exit.
// args: a
// exit: 6
#include <stdlib.h>
#include <unistd.h>

static int kept;

static void at_end(void) {
    if (kept == 'a') //~ branch: arg[1][0] == 'a'
        _exit(6);
}

int main(int argc, char **argv) {
    kept = argv[1][0];
    atexit(at_end);
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
