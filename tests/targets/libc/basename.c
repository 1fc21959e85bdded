// basename finds the last slash.
// args: a/b
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (strcmp(basename(argv[1]), "b") == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != '/'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == '/'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != '/'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == 'b'
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
