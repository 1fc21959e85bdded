// memcpy copies shadows.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    memcpy(copy, argv[1], 4);
    if (copy[2] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
