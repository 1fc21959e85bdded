// A key by memcmp.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    if (memcmp(in + 3, "\x13Offshoot\xff", 10) == 0)
        OPEN();
    return 0;
}
