// strchrnul.
// args: abc
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (*strchrnul(argv[1], 'x') == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'x'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 'x'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 'x'
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
