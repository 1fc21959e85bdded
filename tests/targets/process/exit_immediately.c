// _exit keeps the trace.
// args: a
// exit: 4
#include <unistd.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        _exit(4);
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
