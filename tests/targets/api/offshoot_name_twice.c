// A name used twice makes two sources.
#include <offshoot.h>

int main(void) {
    int a = offshoot_symbolic_int("n"), b = offshoot_symbolic_int("n");
    if (a == b) //~ branch: nondet:n#1[0..4]:u32 == nondet:n#0[0..4]:u32
        return 0;
    return 1;
}

//~ sources: nondet:n#0(4) nondet:n#1(4)
//~ no-loss
