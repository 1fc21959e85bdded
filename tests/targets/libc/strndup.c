// strndup.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    char *copy = strndup(argv[1], 2);
    if (copy[1] == 'b' && copy[2] == 0) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
