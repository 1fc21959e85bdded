// strcspn.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strcspn(argv[1], "xc") == 2)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == 'c' || arg[1][0] == 'x')
//~ libc: arg[1][1] != 0
//~ libc: !(arg[1][1] == 'c' || arg[1][1] == 'x')
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == 'c' || arg[1][2] == 'x'
//~ sources: arg[1](3)
//~ no-loss
