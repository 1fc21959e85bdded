// A free of what is not a block is an event, also if it ends the program.
// args: 3
// exit: signal 6
// cc: -Wno-free-nonheap-object
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at offset 3 of heap block of 10 bytes
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    free(p + 1); //~ free: not a live object
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
