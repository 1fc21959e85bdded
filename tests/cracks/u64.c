// Unsigned 64-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint64_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x == (uint64_t)0xFEEDFACECAFEF00Dull && y > (uint64_t)(x / 3) && y < (uint64_t)(x / 3 + 3))
        OPEN();
    return 0;
}
