// Atomic sub, and, or, xor.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic unsigned n = (unsigned char)argv[1][0];
    atomic_fetch_sub(&n, 1);
    atomic_fetch_or(&n, 3);
    atomic_fetch_and(&n, 0x7f);
    atomic_fetch_xor(&n, 0x40);
    if (n == 0x23) //~ branch: ((arg[1][0] - 1 | 3) & 127) == 99
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
