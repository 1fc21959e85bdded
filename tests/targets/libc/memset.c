// memset with a symbolic byte.
// args: abcd
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    memset(copy, argv[1][0], 4);
    if (copy[1] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
