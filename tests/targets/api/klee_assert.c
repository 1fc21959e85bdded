// klee_assert.
#include <klee/klee.h>

int main(void) {
    int n = klee_int("n");
    klee_assert(n != 5); //~ branch: nondet:n#0[0..4]:u32 != 5
    return 0;
}

//~ sources: nondet:n#0(4)
//~ no-loss
