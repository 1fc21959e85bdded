// memcmp compares byte by byte.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (memcmp(argv[1], "abx", 3) < 0) //~ branch: (int32)(arg[1][2] - 'x') < 0
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][2] != 'x'
//~ sources: arg[1](3)
//~ no-loss
