// strverscmp compares numbers.
// args: a9
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (strverscmp(argv[1], "a10") < 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != '1'
//~ libc: arg[1][0] - '0' >= 10
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][1] != '0'
//~ libc: arg[1][1] - ':' >= -10
//~ sources: arg[1](2)
//~ no-loss
