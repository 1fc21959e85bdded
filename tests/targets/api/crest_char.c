// CREST_char and CREST_unsigned_char.
#include <crest.h>

int main(void) {
    char a = 0;
    unsigned char b = 0;
    CREST_char(a);
    CREST_unsigned_char(b);
    if (a <= b)
        return 0;
    return 1;
}
