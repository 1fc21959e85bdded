// sscanf %lf.
// args: 2.5
#include <stdio.h>

int main(int argc, char **argv) {
    double x = 0;
    sscanf(argv[1], "%lf", &x);
    if (x == 2.5)
    //~ branch: (double)((arg[1][2] + 0xffffffd0 & 0xffffffff) + (arg[1][0] + 0xffffffd0 & 0xffffffff) * 10) / 10.0 == 2.5
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == ' ' || arg[1][0] - '\t' < 5)
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: (arg[1][0] | ' ') != 110
//~ libc: (arg[1][0] | ' ') != 105
//~ libc: arg[1][0] != '0'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] - '0' >= 10
//~ libc: (arg[1][1] | ' ') != 101
//~ libc: arg[1][1] == '.'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] - '0' < 10
//~ libc: arg[1][0] != ' '
//~ libc: arg[1][0] - '\t' >= 5
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: (arg[1][0] | ' ') != 105
//~ libc: (arg[1][0] | ' ') != 110
//~ libc: arg[1][0] != '0'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' >= 10
//~ libc: arg[1][1] == '.'
//~ libc: arg[1][2] - '0' < 10
//~ sources: arg[1](3)
//~ no-loss
