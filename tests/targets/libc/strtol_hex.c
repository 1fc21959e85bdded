// strtol in base sixteen, with a prefix.
// args: 0x2A
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtol(argv[1], 0, 16) == 0x2a)
    //~ branch: (uint32)((arg[1][3] | ' ') - 87) + (uint32)(arg[1][2] - '0') * 16 == 42
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] == '0'
//~ libc: (arg[1][1] & 223) == 88
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][3] - '0' >= 10
//~ libc: (arg[1][3] | ' ') - 97 < 6
//~ sources: arg[1](4)
//~ no-loss
