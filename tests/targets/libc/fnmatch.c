// fnmatch.
// args: abc7
#include <fnmatch.h>

int main(int argc, char **argv) {
    if (fnmatch("a*[0-9]", argv[1], 0) == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][1] != 0
//~ libc: !(arg[1][1] <= '9' && arg[1][1] >= '0')
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ libc: !(arg[1][2] <= '9' && arg[1][2] >= '0')
//~ libc: arg[1][2] != 0
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] <= '9' && arg[1][3] >= '0'
//~ sources: arg[1](4)
//~ no-loss
