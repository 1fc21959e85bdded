// A size that wraps around.
// args: dbcd
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    unsigned n;
    memcpy(&n, argv[1], 4);
    char *p = malloc((n * 0x40000000u) + 16); //~ allocate: arg[1][0..4]:u32 << 30 | 16; call of malloc
    if (p)
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
