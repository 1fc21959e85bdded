// strnlen looks no further than its bound.
// args: abc
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (strnlen(argv[1], 2) == 2)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
