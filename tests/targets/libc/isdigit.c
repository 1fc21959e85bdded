// isdigit is one condition on the byte.
// args: "7"
#include <ctype.h>

int main(int argc, char **argv) {
    if (isdigit((unsigned char)argv[1][0])) //~ branch: arg[1][0] - '0' < 10
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
