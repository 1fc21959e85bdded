// Numbers that are input: the value comes from the file OFFSHOOT_INPUTS names.
// file inputs: "nondet:n#0\0004\000abcd"
// env OFFSHOOT_INPUTS=inputs
#include <offshoot.h>

int main(void) {
    int n = offshoot_symbolic_int("n");
    if (n == 0x64636261) //~ branch: nondet:n#0[0..4]:u32 == 0x64636261
        return 0;
    return 1;
}

//~ sources: nondet:n#0(4)
//~ no-loss
