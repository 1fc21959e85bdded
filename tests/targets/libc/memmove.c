// memmove copies shadows over themselves.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    memcpy(copy, argv[1], 4);
    memmove(copy + 1, copy, 3);
    if (copy[1] == 'a' && copy[3] == 'c')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
