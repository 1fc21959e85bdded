// isascii and toascii.
// args: a
// cc: -D_GNU_SOURCE
#include <ctype.h>

int main(int argc, char **argv) {
    if (isascii((unsigned char)argv[1][0]) && toascii(argv[1][0]) == 'a')
    //~ branch: arg[1][0] < 128
    //~ branch: ((int8)arg[1][0] & 127) == 97
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
