// run: 0 0
// run: 1 1
#include <stdlib.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (likely(a && b))
        return 1;
    if (unlikely(a) || unlikely(b))
        return 2;
    if (likely(a || !b) && !unlikely(b))
        return 3;
    __builtin_unreachable();
}
