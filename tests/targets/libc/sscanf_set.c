// sscanf %[.
// args: 12ab
#include <stdio.h>

int main(int argc, char **argv) {
    char word[8];
    sscanf(argv[1], "%7[0-9]", word);
    if (word[1] == '2') //~ branch: arg[1][1] == '2'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != '0'
//~ libc: arg[1][0] >= '0'
//~ libc: arg[1][0] < '9'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] != '0'
//~ libc: arg[1][1] >= '0'
//~ libc: arg[1][1] < '9'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != '0'
//~ libc: arg[1][2] >= '0'
//~ libc: arg[1][2] >= '9'
//~ libc: arg[1][2] != '9'
//~ sources: arg[1](4)
//~ no-loss
