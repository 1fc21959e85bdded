// strtok cuts at the delimiters.
// args: "ab,c"
#include <string.h>

int main(int argc, char **argv) {
    char *first = strtok(argv[1], ","), *second = strtok(0, ",");
    if (first[0] == 'a' && second[0] == 'c')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][3] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != ','
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != ','
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] != ','
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == ','
//~ libc: arg[1][2] != 0
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] != ','
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] != ','
//~ sources: arg[1](4)
//~ no-loss
