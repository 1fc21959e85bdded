// Constructors and destructors.
// args: a
// exit: 5
#include <unistd.h>

static int kept, early;

__attribute__((constructor)) static void before(void) {
    early = 1;
}

__attribute__((destructor)) static void after(void) {
    if (kept == 'a') //~ branch: arg[1][0] == 'a'
        _exit(5);
}

int main(int argc, char **argv) {
    kept = argv[1][0];
    return early - 1;
}

//~ sources: arg[1](1)
//~ no-loss
