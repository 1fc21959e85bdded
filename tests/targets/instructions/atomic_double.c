// Atomic addition of doubles.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic double sum = argv[1][0];
    sum += 0.5; //~ derived: 1
    if (sum == 97.5) //~ branch: (double)arg[1][0] + 0.5 == 97.5
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
