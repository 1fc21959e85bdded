// Numbers of every kind; without a file they are 0.
#include <offshoot.h>

int main(void) {
    if (offshoot_symbolic_char("c") || offshoot_symbolic_short("s") || offshoot_symbolic_unsigned("u"))
    //~ branch: nondet:c#0[0] == 0
    //~ branch: nondet:s#0[0..2]:u16 == 0
    //~ branch: nondet:u#0[0..4]:u32 == 0
        return 1;
    if (offshoot_symbolic_long("l") || offshoot_symbolic_size("z"))
    //~ branch: nondet:l#0[0..8]:u64 == 0
    //~ branch: nondet:z#0[0..8]:u64 == 0
        return 2;
    if (offshoot_symbolic_float("f") == 0 && offshoot_symbolic_double("d") < 1)
    //~ branch: nondet:f#0[0..4]:u32 == 0.0f
    //~ branch: nondet:d#0[0..8]:u64 < 1.0
        return 0;
    return 3;
}

//~ sources: nondet:c#0(1) nondet:s#0(2) nondet:u#0(4) nondet:l#0(8) nondet:z#0(8) nondet:f#0(4) nondet:d#0(8)
//~ no-loss
