// An access to a block that was freed before says so.
// args: 34
#include <stdlib.h>

int main(int argc, char **argv) {
    char *volatile p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at offset 3 of heap block of 10 bytes
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    free(p);
    p[argv[1][1] - '0'] = 1;
    //~ access: (int8)arg[1][1] + ADDRESS; write of 1 bytes at offset 4 of freed block of 10 bytes
    //~ concretise: (int8)arg[1][1] + ADDRESS == ADDRESS
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
