// mempcpy gives back the end.
// args: abcd
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    char copy[4];
    char *end = mempcpy(copy, argv[1], 3);
    if (end == copy + 3 && copy[2] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
