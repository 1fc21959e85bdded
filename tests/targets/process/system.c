// system runs a shell.
// args: a
#include <stdlib.h>

int main(int argc, char **argv) {
    if (system("exit 3") == -1)
        return 2;
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process forked; its children were not traced
