// An assumption is part of the path condition.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    offshoot_assume(n < 10); //~ assume: (int32)nondet:n#0[0..4]:u32 < 10
    if (n > 5) //~ branch: (int32)nondet:n#0[0..4]:u32 <= 5
        return 1;
    return 0;
}

//~ sources: nondet:n#0(4)
//~ no-loss
