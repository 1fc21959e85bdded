// Atomic exchange.
// args: ab
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic int n = argv[1][0];
    int old = atomic_exchange(&n, argv[1][1]);
    if (old == 'a' && n == 'b')
    //~ branch: arg[1][0] == 'a'
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
