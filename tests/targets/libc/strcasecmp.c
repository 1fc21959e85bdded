// strcasecmp folds case.
// args: abC
#include <strings.h>

int main(int argc, char **argv) {
    if (strcasecmp(argv[1], "ABc") == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] + (arg[1][0] - 'A' < 26 ? 32 : 0) == 97
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] + (arg[1][1] - 'A' < 26 ? 32 : 0) == 98
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] + (arg[1][2] - 'A' < 26 ? 32 : 0) == 99
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
