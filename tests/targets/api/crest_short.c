// CREST_short and CREST_unsigned_short.
#include <crest.h>

int main(void) {
    short a = 0;
    unsigned short b = 0;
    CREST_short(a);
    CREST_unsigned_short(b);
    if (a * 3 == b)
        return 0;
    return 1;
}
