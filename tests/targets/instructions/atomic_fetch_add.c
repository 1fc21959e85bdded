// Atomic addition gives back the old value.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic int n = argv[1][0];
    int old = atomic_fetch_add(&n, 5);
    if (old == 'a' && n == 'f') //~ branch: arg[1][0] == 'a' ×2
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
