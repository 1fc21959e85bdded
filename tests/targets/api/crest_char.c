// CREST_char and CREST_unsigned_char.
#include <crest.h>

int main(void) {
    char a = 0;
    unsigned char b = 0;
    CREST_char(a);
    CREST_unsigned_char(b);
    if (a <= b) //~ branch: (int8)nondet:crest_char#0[0] <= nondet:crest_unsigned_char#0[0]
        return 0;
    return 1;
}

//~ sources: nondet:crest_char#0(1) nondet:crest_unsigned_char#0(1)
//~ no-loss
