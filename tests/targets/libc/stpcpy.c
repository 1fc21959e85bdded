// stpcpy gives back the end.
// args: abc
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    char copy[8];
    char *end = stpcpy(copy, argv[1]);
    if (end == copy + 3 && end[-1] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
