// CREST_int and CREST_unsigned_int.
#include <crest.h>

int main(void) {
    int a = 0;
    unsigned b = 0;
    CREST_int(a);
    CREST_unsigned_int(b);
    if (a < 5 && b == 0)
        return 0;
    return 1;
}
