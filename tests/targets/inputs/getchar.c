// stdin by getchar; the end of the file is concrete.
// stdin: "abc"
#include <stdio.h>

int main(void) {
    int n = 0, c;
    while ((c = getchar()) != EOF)
        if (c == 'b')
        //~ branch: stdin[0] != 'b'
        //~ branch: stdin[1] == 'b'
        //~ branch: stdin[2] != 'b'
            n++;
    return n - 1;
}

//~ sources: stdin(3)
//~ no-loss
