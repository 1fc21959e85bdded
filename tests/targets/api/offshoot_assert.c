// An assertion is an event.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assert(n != 42); //~ assert: nondet:n#0[0..4]:u32 != 42
    return 0;
}

//~ sources: nondet:n#0(4)
//~ no-loss
