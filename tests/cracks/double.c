// Double precision: equality after arithmetic, and order.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    double x, y;
    memcpy(&x, in, 8);
    memcpy(&y, in + 8, 8);
    if (x - 0.125 == 1234.5 && y < -1e10 && y > -1.0000000001e10)
        OPEN();
    return 0;
}
