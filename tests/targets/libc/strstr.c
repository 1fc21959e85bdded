// strstr.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    if (strstr(argv[1], "bc") == argv[1] + 1)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][2] == 'c'
//~ sources: arg[1](4)
//~ no-loss
