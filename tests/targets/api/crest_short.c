// CREST_short and CREST_unsigned_short.
#include <crest.h>

int main(void) {
    short a = 0;
    unsigned short b = 0;
    CREST_short(a);
    CREST_unsigned_short(b);
    if (a * 3 == b) //~ branch: nondet:crest_unsigned_short#0[0..2]:u16 == (int16)nondet:crest_short#0[0..2]:u16 * 3
        return 0;
    return 1;
}

//~ sources: nondet:crest_short#0(2) nondet:crest_unsigned_short#0(2)
//~ no-loss
