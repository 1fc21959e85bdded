// A failed assertion aborts.
// exit: signal 6
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assert(n == 42); //~ assert: nondet:n#0[0..4]:u32 != 42; failed
    return 0;
}

//~ sources: nondet:n#0(4)
//~ no-loss
//~ incomplete: the process did not reach its end; this is the trace so far
