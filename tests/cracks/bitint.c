// A _BitInt of an odd width.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    unsigned _BitInt(37) x = 0;
    for (int i = 0; i < 5; i++)
        x = x << 8 | in[i];
    signed _BitInt(19) y = (signed _BitInt(19))(in[8] | in[9] << 8 | in[10] << 16);
    if (x == (unsigned _BitInt(37))0x1F00DFEED0 && y == -200000)
        OPEN();
    return 0;
}
