// An assumption is part of the path condition.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assume(n < 10);
    if (n > 5)
        return 1;
    return 0;
}
