// wcschr and wmemchr.
// args: ab
#include <wchar.h>

int main(int argc, char **argv) {
    wchar_t wide[3] = {argv[1][0], argv[1][1], 0};
    if (wcschr(wide, L'b') == wmemchr(wide, L'b', 2))
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][0] != 'b'
//~ libc: arg[1][1] == 'b'
//~ sources: arg[1](2)
//~ no-loss
