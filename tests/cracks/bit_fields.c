// Odd bit-fields of one structure.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    struct Fields {
        unsigned a : 3;
        signed b : 11;
        unsigned c : 17;
        unsigned long long d : 33;
    } f;
    memcpy(&f, in, sizeof f);
    if (f.a == 5 && f.b == -700 && f.c == 99999 && f.d == 0x1ABCDEF01ull)
        OPEN();
    return 0;
}
