// The result of strcmp is the difference of two bytes.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    int n = strcmp(argv[1], "abd");
    if (n < 0) //~ branch: (int32)(arg[1][2] - 'd') < 0
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 'd'
//~ sources: arg[1](3)
//~ no-loss
