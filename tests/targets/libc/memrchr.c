// memrchr searches from the end.
// args: abbd
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    if (memrchr(argv[1], 'b', 4) == argv[1] + 2)
        return 0;
    return 1;
}

//~ libc: arg[1][3] != 'b'
//~ libc: arg[1][2] == 'b'
//~ sources: arg[1](4)
//~ no-loss
