// A failed assumption ends the run in silence.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assume(n == 7);
    return 1;
}
