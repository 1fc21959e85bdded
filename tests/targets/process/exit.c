// exit in the middle.
// args: a
// exit: 3
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        exit(3);
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
