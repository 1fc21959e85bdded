// index and rindex.
// args: abc
#include <strings.h>

int main(int argc, char **argv) {
    if (index(argv[1], 'b') == rindex(argv[1], 'b'))
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 'b'
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
