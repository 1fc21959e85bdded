// run: 0
// run: 2
#include <stdlib.h>

#define FEATURE 1

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
#if FEATURE
    if (x
#ifdef NOT_DEFINED
        && x > 100
#else
        && x > 1
#endif
    )
        x = 5;
#else
    if (x || x > 3)
        x = 6;
#endif

#if 0
    x = 7;
#endif
#if 0
    x = 8;
#elif FEATURE
    x += 1; int y = x ||
#if 0
        9 ||
#endif
        argc;
#endif
    return x + y;
}
