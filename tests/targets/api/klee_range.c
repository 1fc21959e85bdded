// klee_range and klee_int.
#include <klee/klee.h>

int main(void) {
    int n = klee_range(3, 8, "n"), m = klee_int("m");
    //~ assume: (int32)nondet:n#0[0..4]:u32 >= 3
    //~ assume: (int32)nondet:n#0[0..4]:u32 < 8
    if (n + m == 3) //~ branch: nondet:n#0[0..4]:u32 + nondet:m#0[0..4]:u32 == 3
        return 0;
    return 1;
}

//~ sources: nondet:n#0(4) nondet:m#0(4)
//~ no-loss
