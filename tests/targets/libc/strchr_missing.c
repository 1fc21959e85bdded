// strchr of what is not there looks at every byte.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strchr(argv[1], 'x') == 0)
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
