// run: 0
#include <stdlib.h>

static inline int unused_inline(int a, int b) {
    return a && b;
}

static int __attribute__((unused)) unused_static(int a) {
    if (a || a > 3)
        return 1;
    return 0;
}

int never_called(int a, int b) {
    while (a && b)
        a--;
    return a || b;
}

int main(int argc, char **argv) {
    if (argc > 5)
        return never_called(argc, 0);
    return 0;
}
