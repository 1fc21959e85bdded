// sscanf %u.
// args: 42
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned n = 0;
    sscanf(argv[1], "%u", &n);
    if (n == 42) //~ branch: (uint32)((uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10) == 42
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == ' ' || arg[1][0] - '\t' < 5)
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] != '0'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ sources: arg[1](2)
//~ no-loss
