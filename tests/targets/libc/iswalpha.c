// iswalpha and iswdigit.
// args: a1
#include <wctype.h>

int main(int argc, char **argv) {
    if (iswalpha(argv[1][0]) && iswdigit(argv[1][1]))
    //~ branch: ((int8)arg[1][0] | ' ') - 97 < 26
    //~ branch: (int8)arg[1][1] - '0' < 10
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] < 128
//~ libc: (int8)arg[1][1] < 128
//~ sources: arg[1](2)
//~ no-loss
