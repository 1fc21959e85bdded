// A free of what is not live.
// args: a
// exit: signal 6
// cc: -Wno-free-nonheap-object
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        free(p + 1);
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
