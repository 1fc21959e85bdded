// strtol in base ten, with its end pointer.
// args: 42x
#include <stdlib.h>

int main(int argc, char **argv) {
    char *end;
    long n = strtol(argv[1], &end, 10);
    if (n == 42 && *end == 'x')
    //~ branch: (uint32)(arg[1][1] - '0') + (uint32)(arg[1][0] - '0') * 10 == 42
    //~ branch: arg[1][2] == 'x'
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: arg[1][0] - '0' < 10
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][2] - '0' >= 10
//~ sources: arg[1](3)
//~ no-loss
