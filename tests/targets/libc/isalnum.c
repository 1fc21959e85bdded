// isalnum is one condition on the byte.
// args: "a"
#include <ctype.h>

int main(int argc, char **argv) {
    if (isalnum((unsigned char)argv[1][0])) //~ branch: arg[1][0] - '0' < 10 || (arg[1][0] | ' ') - 97 < 26
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
