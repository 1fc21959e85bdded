// strtod with sign and exponent.
// args: -25e2
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtod(argv[1], 0) == -2500)
    //~ branch: ((double)((arg[1][2] + 0xffffffd0 & 0xffffffff) + (… + 0xffffffd0 & 0xffffffff) * 10) ^ 0x8000000000000000) * 100.0 == -2500.0
        return 0;
    return 1;
}

//~ libc: arg[1][0] != ' '
//~ libc: arg[1][0] - '\t' >= 5
//~ libc: arg[1][0] == '-'
//~ libc: (arg[1][1] | ' ') != 105
//~ libc: (arg[1][1] | ' ') != 110
//~ libc: arg[1][1] != '0'
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][3] - '0' >= 10
//~ libc: arg[1][3] != '.'
//~ libc: (arg[1][3] | ' ') == 101
//~ libc: arg[1][4] != '-'
//~ libc: arg[1][4] != '+'
//~ libc: arg[1][4] - ':' >= 246
//~ libc: arg[1][4] - '0' < 10
//~ libc: (int64)(arg[1][4] - '0') >= -22
//~ libc: (int64)(arg[1][4] - '0') <= 22
//~ libc: (int64)(arg[1][4] - '0') >= 0
//~ libc: (int64)(arg[1][4] - '0') > 0
//~ libc: (int64)(arg[1][4] - '0') > 0
//~ libc: (int64)(arg[1][4] - '0') > 1
//~ libc: (int64)(arg[1][4] - '1') <= 1
//~ sources: arg[1](5)
//~ no-loss
