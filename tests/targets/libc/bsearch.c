// bsearch with a symbolic key.
// args: c
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

int main(int argc, char **argv) {
    if (bsearch(argv[1], "acegi", 5, 1, compare) != 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'e'
//~ libc: (int32)((int8)arg[1][0] - 'e') < 0
//~ libc: arg[1][0] == 'c'
//~ sources: arg[1](1)
//~ no-loss
