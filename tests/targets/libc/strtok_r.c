// strtok_r keeps its place with the caller.
// args: "a;c"
#include <string.h>

int main(int argc, char **argv) {
    char *place;
    strtok_r(argv[1], ";", &place);
    char *second = strtok_r(0, ";", &place);
    if (second[0] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != ';'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != ';'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] == ';'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != ';'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != ';'
//~ sources: arg[1](3)
//~ no-loss
