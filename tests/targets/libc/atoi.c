// atoi: the number is a term over its digits.
// args: -42
#include <stdlib.h>

int main(int argc, char **argv) {
    if (atoi(argv[1]) == -42)
    //~ branch: (uint32)(0 - ((uint32)(arg[1][2] - '0') + (uint32)(arg[1][1] - '0') * 10)) == -42
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] - '0' < 10
//~ libc: arg[1][2] - '0' < 10
//~ sources: arg[1](3)
//~ no-loss
