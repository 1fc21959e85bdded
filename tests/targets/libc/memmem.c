// memmem finds a substring.
// args: abcd
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (memmem(argv[1], 4, "bc", 2) == argv[1] + 1)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][2] == 'c'
//~ sources: arg[1](4)
//~ no-loss
