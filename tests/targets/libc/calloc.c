// calloc: both factors count, and the block is concrete.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = calloc(argv[1][0], argv[1][1]); //~ allocate: (int8)arg[1][1] * (int8)arg[1][0]; call of calloc
    if (p[1] == 0) //~ access: ADDRESS; read of 1 bytes at offset 1 of heap block of 9506 bytes
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
