// A harness with its own reach_error.
// exit: 3
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

void reach_error(void) {
    exit(3);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0) //~ branch: nondet:int#0[0..4]:u32 == 0
        reach_error();
    return 0;
}

//~ sources: nondet:int#0(4)
//~ no-loss
