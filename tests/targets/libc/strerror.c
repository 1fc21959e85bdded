// A function that gives back concrete text.
// args: a
#include <string.h>

int main(int argc, char **argv) {
    if (strerror(2)[0] == 'N' && argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
