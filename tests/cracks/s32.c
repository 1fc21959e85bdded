// Signed 32-bit comparisons.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    int32_t x, y;
    memcpy(&x, in, sizeof x);
    memcpy(&y, in + 8, sizeof y);
    if (x < (int32_t)-1234567890 && x > (int32_t)(-1234567890 - 3) && y == (int32_t)(x / 7))
        OPEN();
    return 0;
}
