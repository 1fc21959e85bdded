// strtol saturates and sets errno.
// args: 99999999999999999999
#include <stdlib.h>
#include <limits.h>
#include <errno.h>

int main(int argc, char **argv) {
    long n = strtol(argv[1], 0, 10);
    if (n == LONG_MAX && errno == ERANGE)
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][3] - '0' < 10
//~ libc: arg[1][4] - '0' < 10
//~ libc: arg[1][5] - '0' < 10
//~ libc: arg[1][6] - '0' < 10
//~ libc: arg[1][7] - '0' < 10
//~ libc: arg[1][8] - '0' < 10
//~ libc: arg[1][9] - '0' < 10
//~ libc: arg[1][10] - '0' < 10
//~ libc: arg[1][11] - '0' < 10
//~ libc: arg[1][12] - '0' < 10
//~ libc: arg[1][13] - '0' < 10
//~ libc: arg[1][14] - '0' < 10
//~ libc: arg[1][15] - '0' < 10
//~ libc: arg[1][16] - '0' < 10
//~ libc: arg[1][17] - '0' < 10
//~ libc: arg[1][18] - '0' < 10
//~ libc: arg[1][18] - '0' > 7 && (uint32)(arg[1][17] - '0') + ((uint32)(… - '0') + (… + …) * 10) * 10 == 0xccccccccccccccc || (uint32)(arg[1][17] - '0') + ((uint32)(arg[1][16] - '0') + ((uint32)… + … * 10) * 10) * 10 > 0xccccccccccccccc
//~ libc: arg[1][19] - '0' < 10
//~ sources: arg[1](20)
//~ no-loss
