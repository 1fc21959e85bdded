// stdin by fread.
// stdin: "abcd"
#include <stdio.h>

int main(void) {
    char items[2][2];
    if (fread(items, 2, 2, stdin) != 2)
        return 2;
    if (items[1][0] == 'c') //~ branch: stdin[2] == 'c'
        return 0;
    return 1;
}

//~ sources: stdin(4)
//~ no-loss
