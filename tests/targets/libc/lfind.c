// lfind.
// args: c
#include <search.h>

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

int main(int argc, char **argv) {
    size_t n = 3;
    if (lfind(argv[1], "gca", &n, 1, compare) != 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 'g'
//~ libc: arg[1][0] == 'c'
//~ sources: arg[1](1)
//~ no-loss
