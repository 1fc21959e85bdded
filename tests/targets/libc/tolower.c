// tolower.
// args: A
#include <ctype.h>

int main(int argc, char **argv) {
    if (tolower((unsigned char)argv[1][0]) == 'a') //~ branch: arg[1][0] == 'A'
        return 0;
    return 1;
}

//~ libc: arg[1][0] > '@'
//~ libc: arg[1][0] < '['
//~ sources: arg[1](1)
//~ no-loss
