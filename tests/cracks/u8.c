// Unsigned 8-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint8_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x == (uint8_t)0xA7 && y > (uint8_t)(x / 3) && y < (uint8_t)(x / 3 + 3))
        OPEN();
    return 0;
}
