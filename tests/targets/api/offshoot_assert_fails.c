// A failed assertion aborts.
// exit: signal 6
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assert(n == 42);
    return 0;
}
