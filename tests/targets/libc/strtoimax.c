// strtoimax and strtoumax.
// args: 42
#include <inttypes.h>

int main(int argc, char **argv) {
    if (strtoimax(argv[1], 0, 10) + (intmax_t)strtoumax(argv[1], 0, 10) == 84)
    //~ branch: (uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10 + ((uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10) == 84
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ sources: arg[1](2)
//~ no-loss
