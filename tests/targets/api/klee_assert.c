// klee_assert.
#include <klee/klee.h>

int main(void) {
    int n = klee_int("n");
    klee_assert(n != 5);
    return 0;
}
