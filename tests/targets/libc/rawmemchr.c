// rawmemchr knows no end.
// args: abc
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (rawmemchr(argv[1], 'b') == argv[1] + 1)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][1] == 'b'
//~ sources: arg[1](3)
//~ no-loss
