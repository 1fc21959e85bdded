// run: x
// run: yz
// A macro's file is another than the function's.
#include "parts/macros.h"

static int failures;

static int look(const char *p) {
    if (FIRST_IS(p, 'x') || FIRST_IS(p, 'y'))
        return 1;
    REPORT(!VALID(p) || p[1]);
    REPORT(p == 0);
    return 0;
}

int main(int argc, char **argv) {
    return look(argv[1]) + look(argv[1] + 1) + look("") + failures;
}
