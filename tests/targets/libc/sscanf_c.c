// sscanf %c.
// args: ab
#include <stdio.h>

int main(int argc, char **argv) {
    char a = 0, b = 0;
    sscanf(argv[1], "%c%c", &a, &b);
    if (a == 'a' && b == 'b')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] != 0
//~ sources: arg[1](2)
//~ no-loss
