// towupper and towlower.
// args: aB
#include <wctype.h>

int main(int argc, char **argv) {
    if (towupper(argv[1][0]) == L'A' && towlower(argv[1][1]) == L'b')
    //~ branch: (int8)arg[1][0] + ((int8)arg[1][0] - 'a' < 26 ? -32 : 0) == 65
    //~ branch: (int8)arg[1][1] + ((int8)arg[1][1] - 'A' < 26 ? 32 : 0) == 98
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] < 128
//~ libc: (int8)arg[1][1] < 128
//~ sources: arg[1](2)
//~ no-loss
