// Signed 16-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    int16_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x < (int16_t)-12345 && x > (int16_t)(-12345 - 3) && y == (int16_t)(x / 7))
        OPEN();
    return 0;
}
