// strxfrm in the C locale is a copy.
// args: abc
#include <string.h>

int main(int argc, char **argv) {
    char out[8];
    size_t n = strxfrm(out, argv[1], sizeof out);
    if (out[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
