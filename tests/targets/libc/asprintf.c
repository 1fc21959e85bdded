// asprintf allocates.
// args: abc
// cc: -D_GNU_SOURCE
#include <stdio.h>

int main(int argc, char **argv) {
    char *out;
    if (asprintf(&out, "x%s", argv[1]) < 0)
        return 2;
    if (out[1] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
