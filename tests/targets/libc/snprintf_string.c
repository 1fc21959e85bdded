// snprintf %s and %c copy terms.
// args: abc
#include <stdio.h>

int main(int argc, char **argv) {
    char out[16];
    snprintf(out, sizeof out, "<%.2s>%c", argv[1], argv[1][2]);
    if (out[2] == 'b' && out[4] == 'c')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](3)
//~ no-loss
