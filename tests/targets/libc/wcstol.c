// wcstol.
// args: 42
#include <wchar.h>

int main(int argc, char **argv) {
    wchar_t wide[3] = {argv[1][0], argv[1][1], 0};
    if (wcstol(wide, 0, 10) == 42)
    //~ branch: (uint32)((int8)arg[1][1] - '0') + (uint32)((int8)arg[1][0] - '0') * 10 == 42
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] < 128
//~ libc: !(arg[1][0] == ' ' || (int8)arg[1][0] - '\t' < 5)
//~ libc: arg[1][0] != '-'
//~ libc: arg[1][0] != '+'
//~ libc: (int8)arg[1][0] - '0' < 10
//~ libc: (int8)arg[1][0] - '0' < 10
//~ libc: (int8)arg[1][1] - '0' < 10
//~ libc: (int8)arg[1][1] - '0' < 10
//~ sources: arg[1](2)
//~ no-loss
