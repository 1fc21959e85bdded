// Unsigned 128-bit equality and order.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    unsigned __int128 x, y;
    memcpy(&x, in, 16);
    memcpy(&y, in + 16, 16);
    unsigned __int128 key = (unsigned __int128)0x0123456789ABCDEFull << 64 | 0xFEDCBA9876543210ull;
    if (x == key && y > key && y - key == 0x10001)
        OPEN();
    return 0;
}
