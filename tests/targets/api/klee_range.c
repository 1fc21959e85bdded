// klee_range and klee_int.
#include <klee/klee.h>

int main(void) {
    int n = klee_range(3, 8, "n"), m = klee_int("m");
    if (n + m == 3)
        return 0;
    return 1;
}
