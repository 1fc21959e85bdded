// A failed assumption ends the run in silence.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assume(n == 7); //~ branch: nondet:n#0[0..4]:u32 != 7
    return 1;
}

//~ sources: nondet:n#0(4)
//~ no-loss
