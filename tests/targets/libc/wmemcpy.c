// wmemcpy and wmemcmp.
// args: ab
#include <wchar.h>

int main(int argc, char **argv) {
    wchar_t wide[2] = {argv[1][0], argv[1][1]}, copy[2];
    wmemcpy(copy, wide, 2);
    if (wmemcmp(copy, L"ab", 2) == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][1] == 'b'
//~ sources: arg[1](2)
//~ no-loss
