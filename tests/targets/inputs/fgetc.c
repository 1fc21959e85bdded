// stdin by fgetc, and ungetc.
// stdin: "abc"
#include <stdio.h>

int main(void) {
    int c = fgetc(stdin);
    ungetc(c, stdin);
    if (fgetc(stdin) != 'a') //~ branch: stdin[0] == 'a'
        return 1;
    c = fgetc(stdin);
    if (c == 'b') //~ branch: stdin[1] == 'b'
        return 0;
    return 1;
}

//~ sources: stdin(2)
//~ no-loss
