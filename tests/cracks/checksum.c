// A sum over the message must match its last bytes.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    uint16_t sum = 0xFFFF, given;
    for (int i = 0; i < 12; i++) {
        sum ^= (uint16_t)(in[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
    }
    memcpy(&given, in + 12, 2);
    if (in[0] == 'M' && given == sum)
        OPEN();
    return 0;
}
