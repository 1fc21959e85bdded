// A symbolic bound of strncpy.
// args: 3
#include <string.h>

int main(int argc, char **argv) {
    char buffer[16];
    strncpy(buffer, "abcdef", argv[1][0] - '0');
    if (buffer[2] == 'c')
        return argv[1][0] == '9';
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
