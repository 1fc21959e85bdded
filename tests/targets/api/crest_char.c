// CREST_char and CREST_unsigned_char.
#include <crest.h>

int main(void) {
    char a;
    unsigned char b;
    CREST_char(a);
    CREST_unsigned_char(b);
    if (a <= b)
        return 0;
    return 1;
}
