// isxdigit is one condition on the byte.
// args: "f"
#include <ctype.h>

int main(int argc, char **argv) {
    if (isxdigit((unsigned char)argv[1][0])) //~ branch: (arg[1][0] | ' ') - 97 < 6 || arg[1][0] - '0' < 10
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
