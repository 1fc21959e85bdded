// stdin by scanf.
// stdin: "12 ab\n"
#include <stdio.h>

int main(void) {
    int n;
    char word[8];
    if (scanf("%d %7s", &n, word) != 2)
        return 2;
    if (n == 12 && word[1] == 'b')
    //~ branch: (uint32)((uint32)(stdin[1] - '0') + (uint32)(stdin[0] - '0') * 10) == 12
    //~ branch: stdin[4] == 'b'
        return 0;
    return 1;
}

//~ sources: stdin(6)
//~ no-loss
