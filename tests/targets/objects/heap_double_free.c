// A free of what is not a block is an event.
// args: 31
// exit: signal 6
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at offset 3 of heap block of 10 bytes
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    free(p + (argv[1][1] - '0'));
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
