// explicit_bzero ends what was symbolic.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    memcpy(copy, argv[1], 4);
    explicit_bzero(copy, 1);
    if (copy[0] == 0 && copy[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
