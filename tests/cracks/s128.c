// Signed 128-bit order.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    __int128 x;
    memcpy(&x, in, 16);
    __int128 low = -((__int128)1 << 100);
    if (x < low && x > low - 5 && (x & 1))
        OPEN();
    return 0;
}
