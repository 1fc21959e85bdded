// strncmp.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strncmp(argv[1], "abx", 2) == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
