// stpncpy.
// args: abc
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    char copy[8];
    char *end = stpncpy(copy, argv[1], 2);
    if (end == copy + 2 && copy[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
