// swab swaps neighbours.
// args: abcd
// cc: -D_GNU_SOURCE
#include <unistd.h>

int main(int argc, char **argv) {
    char copy[4];
    swab(argv[1], copy, 4);
    if (copy[0] == 'b' && copy[3] == 'c')
    //~ branch: arg[1][1] == 'b'
    //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
