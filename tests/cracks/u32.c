// Unsigned 32-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint32_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x == (uint32_t)0xDEADBEEFu && y > (uint32_t)(x / 3) && y < (uint32_t)(x / 3 + 3))
        OPEN();
    return 0;
}
