// strtof.
// args: .25
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtof(argv[1], 0) == 0.25f)
    //~ branch: (float)(uint32)((arg[1][2] + 0xffffffd0 & 0xffffffff) + (… + 0xffffffd0 & 0xffffffff) * 10) / 100.0f == 0.25f
        return 0;
    return 1;
}

//~ libc: arg[1][0] != ' '
//~ libc: arg[1][0] - '\t' >= 5
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: (arg[1][0] | ' ') != 105
//~ libc: (arg[1][0] | ' ') != 110
//~ libc: arg[1][0] != '0'
//~ libc: arg[1][0] - '0' >= 10
//~ libc: arg[1][0] == '.'
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][2] - '0' < 10
//~ sources: arg[1](3)
//~ no-loss
