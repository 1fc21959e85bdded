// strtol finds the base from the prefix.
// args: 010
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtol(argv[1], 0, 0) == 8)
    //~ branch: (uint32)(arg[1][2] - '0') + ((uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 8) * 8 == 8
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] == '0'
//~ libc: arg[1][0] == '0'
//~ libc: (arg[1][1] & 223) != 88
//~ libc: arg[1][0] - '0' < 8
//~ libc: arg[1][1] - '0' < 8
//~ libc: arg[1][2] - '0' < 8
//~ sources: arg[1](3)
//~ no-loss
