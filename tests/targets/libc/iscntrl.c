// iscntrl is one condition on the byte.
// args: "\x01"
#include <ctype.h>

int main(int argc, char **argv) {
    if (iscntrl((unsigned char)argv[1][0])) //~ branch: arg[1][0] == 127 || arg[1][0] < ' '
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
