// Unsigned 16-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint16_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x == (uint16_t)0xBEEF && y > (uint16_t)(x / 3) && y < (uint16_t)(x / 3 + 3))
        OPEN();
    return 0;
}
