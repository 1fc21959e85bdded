// wcscmp.
// args: ab
#include <wchar.h>

int main(int argc, char **argv) {
    wchar_t wide[3] = {argv[1][0], argv[1][1], 0};
    if (wcscmp(wide, L"ab") == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ sources: arg[1](2)
//~ no-loss
