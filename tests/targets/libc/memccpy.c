// memccpy stops behind the byte.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    char *end = memccpy(copy, argv[1], 'b', 4);
    if (end == copy + 2 && copy[0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][1] == 'b'
//~ sources: arg[1](4)
//~ no-loss
