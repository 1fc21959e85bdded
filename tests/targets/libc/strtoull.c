// strtoull.
// args: 42
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtoull(argv[1], 0, 8) == 34) //~ branch: (uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 8 == 34
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 8
//~ libc: arg[1][1] - '0' < 8
//~ sources: arg[1](2)
//~ no-loss
