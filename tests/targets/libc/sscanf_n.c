// sscanf %n and literal text.
// args: k=07
#include <stdio.h>

int main(int argc, char **argv) {
    int n = 0, end = 0;
    sscanf(argv[1], "k=%d%n", &n, &end);
    if (n == 7 && end == 4) //~ branch: arg[1][3] == '7'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] == 'k'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] == '='
//~ libc: arg[1][2] != 0
//~ libc: !(arg[1][2] == ' ' || arg[1][2] - '\t' < 5)
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != '-'
//~ libc: arg[1][2] != '+'
//~ libc: arg[1][2] == '0'
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] - '0' < 10
//~ libc: arg[1][3] - '0' < 10
//~ sources: arg[1](4)
//~ no-loss
