// abort keeps the trace.
// args: a
// exit: signal 6
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        abort();
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
