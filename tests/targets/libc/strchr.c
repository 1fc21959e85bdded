// strchr.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strchr(argv[1], 'b') == argv[1] + 1)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ sources: arg[1](3)
//~ no-loss
