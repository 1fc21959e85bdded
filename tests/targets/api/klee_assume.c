// klee_assume with a conjunction.
// file inputs: "nondet:n#0\0004\000\014\000\000\000"
// env OFFSHOOT_INPUTS=inputs
#include <klee/klee.h>

int main(void) {
    int n;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_assume(n > 10 & n < 20); //~ assume: nondet:n#0[0..4]:u32 - 11 < 9
    if (n == 12) //~ branch: nondet:n#0[0..4]:u32 == 12
        return 0;
    return 1;
}

//~ sources: nondet:n#0(4)
//~ no-loss
