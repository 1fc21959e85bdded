// strchr with a symbolic character.
// args: y
#include <string.h>

int main(int argc, char **argv) {
    if (strchr("xyz", argv[1][0]) != 0)
        return 0;
    return 1;
}

//~ libc: (int32)((int8)arg[1][0] << 24) >> 24 != 120
//~ libc: (int32)((int8)arg[1][0] << 24) >> 24 == 121
//~ sources: arg[1](1)
//~ no-loss
