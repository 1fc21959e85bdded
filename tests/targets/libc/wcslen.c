// wcslen and wcscpy.
// args: ab
#include <wchar.h>

int main(int argc, char **argv) {
    wchar_t wide[3] = {argv[1][0], argv[1][1], 0}, copy[3];
    wcscpy(copy, wide);
    if (wcslen(copy) == 2 && copy[1] == L'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](2)
//~ no-loss
