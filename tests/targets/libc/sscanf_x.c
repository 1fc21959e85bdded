// sscanf %x and %o.
// args: "2a 10"
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned n = 0, m = 0;
    sscanf(argv[1], "%x %o", &n, &m);
    if (n == 0x2a && m == 8)
    //~ branch: (uint32)((uint32)((arg[1][1] | ' ') - 87) + (uint32)(arg[1][0] - '0') * 16) == 42
    //~ branch: (uint32)((uint32)(arg[1][4] - '0') + (uint32)(arg[1][3] - '0') * 8) == 8
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
//~ libc: arg[1][0] - '0' < 16
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] - '0' >= 10
//~ libc: (arg[1][1] | ' ') - 97 < 6
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] - '0' >= 10
//~ libc: (arg[1][2] | ' ') - 97 >= 6
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == ' ' || arg[1][2] - '\t' < 5
//~ libc: arg[1][3] != 0
//~ libc: !(arg[1][3] == ' ' || arg[1][3] - '\t' < 5)
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] != '-'
//~ libc: arg[1][3] != '+'
//~ libc: arg[1][3] != '0'
//~ libc: arg[1][3] - '0' < 10
//~ libc: arg[1][3] - '0' < 8
//~ libc: arg[1][4] != 0
//~ libc: arg[1][4] - '0' < 10
//~ libc: arg[1][4] - '0' < 8
//~ sources: arg[1](5)
//~ no-loss
