// bcmp.
// args: abc
#include <strings.h>

int main(int argc, char **argv) {
    if (bcmp(argv[1], "abc", 3) == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][2] == 'c'
//~ sources: arg[1](3)
//~ no-loss
