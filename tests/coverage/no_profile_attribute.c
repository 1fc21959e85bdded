// run: 1
// run: 2
#include <stdlib.h>

__attribute__((no_profile_instrument_function)) static int quiet(int x) {
    return x && x > 1;
}

__attribute__((constructor)) static void before(void) {
    static int done;
    if (!done || done > 4)
        done++;
}

__attribute__((destructor)) static void after(void) {
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    return quiet(x) || x > 3;
}
