// A product of two 64-bit numbers, looked at in 128 bits.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint64_t a, b;
    memcpy(&a, in, 8);
    memcpy(&b, in + 8, 8);
    unsigned __int128 product = (unsigned __int128)a * 0xD1342543DE82EF95ull;
    if ((uint64_t)(product >> 64) == 0x1234 && b == (uint64_t)product)
        OPEN();
    return 0;
}
