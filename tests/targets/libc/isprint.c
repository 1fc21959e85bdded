// isprint is one condition on the byte.
// args: " "
#include <ctype.h>

int main(int argc, char **argv) {
    if (isprint((unsigned char)argv[1][0])) //~ branch: arg[1][0] - ' ' < 95
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
