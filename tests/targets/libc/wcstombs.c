// wcstombs.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    wchar_t wide[2] = {argv[1][0], 0};
    char out[8];
    wcstombs(out, wide, 8);
    if (out[0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] < 128
//~ libc: arg[1][0] != 0
//~ sources: arg[1](2)
//~ no-loss
