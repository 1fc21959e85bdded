// stdin by getdelim.
// stdin: "ab;cd"
#include <stdio.h>

int main(void) {
    char *part = 0;
    size_t room = 0;
    if (getdelim(&part, &room, ';', stdin) != 3)
        return 2;
    if (part[0] == 'a' && part[2] == ';')
    //~ branch: stdin[0] == 'a'
    //~ branch: stdin[2] == ';'
        return 0;
    return 1;
}

//~ sources: stdin(3)
//~ no-loss
