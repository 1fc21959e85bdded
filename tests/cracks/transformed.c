// A magic number behind xor, rotation and multiplication.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint32_t x;
    memcpy(&x, in, 4);
    x ^= 0x5A5A1234u;
    x = x << 13 | x >> 19;
    x *= 0x01000193u;
    x += 0x31337u;
    if (x == 0xC0FFEE42u)
        OPEN();
    return 0;
}
