// klee_choose and klee_is_symbolic.
#include <klee/klee.h>

int main(void) {
    unsigned long n = klee_choose(4); //~ assume: nondet:klee_choose#0[0..8]:u64 < 4
    if (n == 0) //~ branch: nondet:klee_choose#0[0..8]:u64 == 0
        return 0;
    return 1;
}

//~ sources: nondet:klee_choose#0(8)
//~ no-loss
