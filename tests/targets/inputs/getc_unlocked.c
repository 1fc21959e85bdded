// stdin by getc_unlocked.
// stdin: "abc"
#include <stdio.h>

int main(void) {
    int c = getc_unlocked(stdin);
    c = getc_unlocked(stdin);
    if (c == 'b') //~ branch: stdin[1] == 'b'
        return 0;
    return 1;
}

//~ sources: stdin(2)
//~ no-loss
