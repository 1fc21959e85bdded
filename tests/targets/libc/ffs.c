// ffs, a function of strings.h.
// args: a
#include <strings.h>

int main(int argc, char **argv) {
    if (ffs(argv[1][0] & ~1) == 6) //~ branch: cttz((int8)(arg[1][0] & 254)) == 5
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
