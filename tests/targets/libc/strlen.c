// strlen: every byte is not the end.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strlen(argv[1]) == 3)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
