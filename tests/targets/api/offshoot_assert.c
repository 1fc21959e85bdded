// An assertion is an event.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assert(n != 42);
    return 0;
}
