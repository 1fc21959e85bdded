// strcasestr.
// args: abcd
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (strcasestr(argv[1], "BC") == argv[1] + 1)
        return 0;
    return 1;
}

//~ libc: arg[1][0] + (arg[1][0] - 'A' < 26 ? 32 : 0) != 98
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] + (arg[1][1] - 'A' < 26 ? 32 : 0) == 98
//~ libc: arg[1][2] + (arg[1][2] - 'A' < 26 ? 32 : 0) == 99
//~ sources: arg[1](4)
//~ no-loss
