// mbtowc in the C locale.
// args: a
#include <stdlib.h>

int main(int argc, char **argv) {
    wchar_t w = 0;
    mbtowc(&w, argv[1], 1);
    if (w == L'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: (int8)arg[1][0] >= 0
//~ libc: arg[1][0] != 0
//~ sources: arg[1](1)
//~ no-loss
