// isblank is one condition on the byte.
// args: "\t"
#include <ctype.h>

int main(int argc, char **argv) {
    if (isblank((unsigned char)argv[1][0])) //~ branch: arg[1][0] == ' ' || arg[1][0] == '\t'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
