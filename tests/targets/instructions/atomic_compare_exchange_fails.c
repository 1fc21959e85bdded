// A failed compare and exchange writes the actual value to the expected one.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic int n = argv[1][0];
    int expected = 'x';
    if (atomic_compare_exchange_strong(&n, &expected, 7)) //~ derived: arg[1][0] != 'x'
        return 1;
    if (expected == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
