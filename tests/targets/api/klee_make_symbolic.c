// klee_make_symbolic.
#include <klee/klee.h>

int main(void) {
    int n = 3;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n < 10)
        return 0;
    return 1;
}
