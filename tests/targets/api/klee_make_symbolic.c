// klee_make_symbolic.
#include <klee/klee.h>

int main(void) {
    int n = 3;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n < 10) //~ branch: (int32)nondet:n#0[0..4]:u32 < 10
        return 0;
    return 1;
}

//~ sources: nondet:n#0(4)
//~ no-loss
