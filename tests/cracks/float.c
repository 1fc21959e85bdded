// Single precision: equality after arithmetic, and order.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    float x, y;
    memcpy(&x, in, 4);
    memcpy(&y, in + 4, 4);
    if (x * 2.0f + 1.0f == 7.5f && y > 3.25f && y < 3.2500005f)
        OPEN();
    return 0;
}
