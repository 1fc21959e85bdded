// sscanf %ld and %lld.
// args: "42 -7"
#include <stdio.h>

int main(int argc, char **argv) {
    long n = 0;
    long long m = 0;
    sscanf(argv[1], "%ld%lld", &n, &m);
    if (n == 42 && m == -7)
    //~ branch: (uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10 == 42
    //~ branch: arg[1][4] == '7'
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
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] - '0' >= 10
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == ' ' || arg[1][2] - '\t' < 5
//~ libc: arg[1][3] != 0
//~ libc: !(arg[1][3] == ' ' || arg[1][3] - '\t' < 5)
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] == '-'
//~ libc: arg[1][4] != 0
//~ libc: arg[1][4] != '0'
//~ libc: arg[1][4] - '0' < 10
//~ libc: arg[1][4] - '0' < 10
//~ sources: arg[1](5)
//~ no-loss
