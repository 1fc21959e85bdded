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

//~ libc: arg[1][0] != '0'
//~ libc: (int8)arg[1][0] - '0' > 1
//~ libc: (int8)arg[1][0] - '0' > 2
//~ libc: (int8)arg[1][0] - '0' <= 3
//~ libc: arg[1][0] == '3'
//~ sources: arg[1](1)
//~ no-loss
