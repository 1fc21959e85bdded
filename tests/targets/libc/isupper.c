// isupper is one condition on the byte.
// args: "A"
#include <ctype.h>

int main(int argc, char **argv) {
    if (isupper((unsigned char)argv[1][0])) //~ branch: arg[1][0] - 'A' < 26
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
