// mbstowcs.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    wchar_t wide[4];
    mbstowcs(wide, argv[1], 4);
    if (wide[1] == L'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] >= 0
//~ libc: arg[1][0] != 0
//~ libc: (int8)arg[1][1] >= 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](2)
//~ no-loss
