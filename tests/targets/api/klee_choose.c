// klee_choose and klee_is_symbolic.
#include <klee/klee.h>

int main(void) {
    unsigned long n = klee_choose(4);
    if (n == 0)
        return 0;
    return 1;
}
