// snprintf %d of a symbolic number.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
    char out[16];
    snprintf(out, sizeof out, "%d", argv[1][0]);
    if (out[0] == '9') //~ branch: ((uint8)((int8)arg[1][0] / '\n' - (int8)arg[1][0] / '\n' / 10 * 10) | 48) == 57
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] >= 0
//~ libc: arg[1][0] != 0
//~ libc: (int8)arg[1][0] > '\t'
//~ libc: (int8)arg[1][0] / '\n' <= 9
//~ sources: arg[1](1)
//~ no-loss
