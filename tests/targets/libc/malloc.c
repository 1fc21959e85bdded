// malloc of symbolic size: the size is a term.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(argv[1][0] * 2); //~ allocate: (int32)((int8)arg[1][0] << 1); call of malloc
    p[1] = argv[1][1]; //~[O0] access: ADDRESS; write of 1 bytes at offset 1 of heap block of 194 bytes
    if (p[1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
