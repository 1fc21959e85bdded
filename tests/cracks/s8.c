// Signed 8-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    int8_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x < (int8_t)-77 && x > (int8_t)(-77 - 3) && y == (int8_t)(x / 7))
        OPEN();
    return 0;
}
