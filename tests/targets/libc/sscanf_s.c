// sscanf %s stops at a space.
// args: "ab cd"
#include <stdio.h>

int main(int argc, char **argv) {
    char word[8];
    sscanf(argv[1], "%7s", word);
    if (word[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == ' ' || arg[1][0] - '\t' < 5)
//~ libc: arg[1][0] != 0
//~ libc: !(arg[1][0] == ' ' || arg[1][0] - '\t' < 5)
//~ libc: arg[1][1] != 0
//~ libc: !(arg[1][1] == ' ' || arg[1][1] - '\t' < 5)
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == ' ' || arg[1][2] - '\t' < 5
//~ sources: arg[1](5)
//~ no-loss
