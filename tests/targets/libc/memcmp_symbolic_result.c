// The result of memcmp is the difference at the first unequal byte.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    int n = memcmp(argv[1], "abx", 3);
    if (n == -21) //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][2] != 'x'
//~ sources: arg[1](3)
//~ no-loss
