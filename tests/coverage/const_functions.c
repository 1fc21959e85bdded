// run: 2
// flags: -O2
// run: 40
#include <stdlib.h>

static inline __attribute__((always_inline)) int square(int x) {
    return x > 0 && x < 30 ? x * x : 0;
}

__attribute__((noinline, const)) static int cube(int x) {
    return x || square(x) ? x * x * x : 1;
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]), s = 0;
    for (int i = 0; i < x; i++)
        s += square(i) ^ cube(i);
    return s & 31;
}
