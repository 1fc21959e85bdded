// Compare and exchange: success and the new value depend on the input.
// args: ab
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic int n = argv[1][0];
    int expected = 'a';
    if (!atomic_compare_exchange_strong(&n, &expected, argv[1][1])) //~ derived: arg[1][0] == 'a'
        return 1;
    if (n == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
