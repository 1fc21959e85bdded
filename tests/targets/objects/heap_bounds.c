// A write through a symbolic index into a heap block.
// args: 3
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at offset 3 of heap block of 10 bytes
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    if (p[3] == 1)
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
