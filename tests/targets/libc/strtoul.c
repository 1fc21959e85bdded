// strtoul negates.
// args: -7
#include <stdlib.h>

int main(int argc, char **argv) {
    if (strtoul(argv[1], 0, 10) == -7ul) //~ branch: arg[1][1] == '7'
        return 0;
    return 1;
}

//~ libc: !(arg[1][0] - '\t' < 5 || arg[1][0] == ' ')
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] - '0' < 10
//~ sources: arg[1](2)
//~ no-loss
