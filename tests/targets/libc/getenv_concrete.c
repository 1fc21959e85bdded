// getenv of a variable that was not chosen is concrete.
// args: a
#include <stdlib.h>

int main(int argc, char **argv) {
    if (getenv("HOME_OF_OFFSHOOT") == 0 && argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
