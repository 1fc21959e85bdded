// klee_silent_exit.
#include <klee/klee.h>

int main(void) {
    int n = klee_int("n");
    if (n == 0) //~ branch: nondet:n#0[0..4]:u32 == 0
        klee_silent_exit(0);
    return 1;
}

//~ sources: nondet:n#0(4)
//~ no-loss
