// strrchr.
// args: abbc
#include <string.h>

int main(int argc, char **argv) {
    if (strrchr(argv[1], 'b') == argv[1] + 2)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] == 'b'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][3] != 'b'
//~ libc: arg[1][3] != 0
//~ sources: arg[1](4)
//~ no-loss
