// A symbolic bound of strncpy.
// args: 3
#include <string.h>

int main(int argc, char **argv) {
    char buffer[16];
    strncpy(buffer, "abcdef", argv[1][0] - '0');
    if (buffer[2] == 'c')
        return 0;
    return 1;
}

//~ libc:
