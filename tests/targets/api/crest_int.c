// CREST_int and CREST_unsigned_int.
#include <crest.h>

int main(void) {
    int a = 0;
    unsigned b = 0;
    CREST_int(a);
    CREST_unsigned_int(b);
    if (a < 5 && b == 0)
    //~ branch: (int32)nondet:crest_int#0[0..4]:u32 < 5
    //~ branch: nondet:crest_unsigned_int#0[0..4]:u32 == 0
        return 0;
    return 1;
}

//~ sources: nondet:crest_int#0(4) nondet:crest_unsigned_int#0(4)
//~ no-loss
