// The program can ask whether it is traced.
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    if (offshoot_is_traced())
        return n == 1 ? 1 : 0; //~ branch: nondet:n#0[0..4]:u32 != 1
    return 0;
}

//~ sources: nondet:n#0(4)
//~ no-loss
