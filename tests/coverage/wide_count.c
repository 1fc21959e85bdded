// run: 100000
// run: 70000
// Counts that differ by much, and expressions with many terms.
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned n = atoi(argv[1]), h = 1;
    for (unsigned i = 0; i < n; i++) {
        if (i % 3 == 0 && h % 7)
            h += i;
        else if (i % 5 == 0 || h % 11 == 0) {
            if (h > 100000)
                continue;
            h ^= i;
        } else
            h = h * 31 + 1;
        if (i == n - 1)
            break;
    }
    return h & 15;
}
