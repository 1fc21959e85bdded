// strspn.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    if (strspn(argv[1], "ab") == 2)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'b' || arg[1][0] == 'a'
//~ libc: arg[1][1] == 'b' || arg[1][1] == 'a'
//~ libc: !(arg[1][2] == 'b' || arg[1][2] == 'a')
//~ sources: arg[1](3)
//~ no-loss
