// strncasecmp.
// args: abC
#include <strings.h>

int main(int argc, char **argv) {
    if (strncasecmp(argv[1], "ABx", 2) == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] + (arg[1][0] - 'A' < 26 ? 32 : 0) == 97
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] + (arg[1][1] - 'A' < 26 ? 32 : 0) == 98
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
