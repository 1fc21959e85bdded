#include "range.h"

extern int external_inline(int x);

int other(int x) {
    return in_range(x) + in_range(x + 4) + external_inline(x);
}

static int never(int x) {
    return x && other(x);
}

int (*keep)(int) = never;
