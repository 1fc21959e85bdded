// reallocarray.
// args: ab
// cc: -D_GNU_SOURCE
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(1);
    p[0] = argv[1][1];
    p = reallocarray(p, argv[1][0], 8); //~ allocate: (int8)arg[1][0] * 8; call of reallocarray
    if (p[0] == 'b')
    //~ access: ADDRESS; read of 1 bytes at offset 0 of heap block of 776 bytes
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
