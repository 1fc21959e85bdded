// memchr stops at the byte.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    if (memchr(argv[1], 'c', 4) == argv[1] + 2)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'c'
//~ libc: arg[1][1] != 'c'
//~ libc: arg[1][2] == 'c'
//~ sources: arg[1](4)
//~ no-loss
