// sscanf %i knows prefixes.
// args: 0x2a
#include <stdio.h>

int main(int argc, char **argv) {
    int n = 0;
    sscanf(argv[1], "%i", &n);
    if (n == 42) //~ branch: (uint32)((uint32)((arg[1][3] | ' ') - 87) + (uint32)(arg[1][2] - '0') * 16) == 42
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == ' ' || arg[1][0] - '\t' < 5)
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] == '0'
//~ libc: arg[1][1] != 0
//~ libc: (arg[1][1] & 223) == 88
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][2] - '0' < 16
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] - '0' >= 10
//~ libc: (arg[1][3] | ' ') - 97 < 6
//~ sources: arg[1](4)
//~ no-loss
