// Atomic addition of doubles.
// args: a
#include <stdatomic.h>

int main(int argc, char **argv) {
    _Atomic double sum = argv[1][0];
    sum += 0.5;
    if (sum == 97.5)
        return 0;
    return 1;
}
