// strtoll.
// args: 42
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtoll(argv[1], 0, 10) == 42) //~ branch: (uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10 == 42
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ sources: arg[1](2)
//~ no-loss
