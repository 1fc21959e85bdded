// Signed 64-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    int64_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x < (int64_t)-1234567890123456789ll && x > (int64_t)(-1234567890123456789ll - 3) && y == (int64_t)(x / 7))
        OPEN();
    return 0;
}
