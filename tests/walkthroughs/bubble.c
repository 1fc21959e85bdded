// SERE'14 section II: a bubble sort of the first N numbers. Eight branches, and pps needs four tests for them.
#include <offshoot.h>

#define LIMIT 6

static int bubble(int *v, int n) {
    int swaps = 0;
    if (n >= LIMIT)
        return -1;
    for (int last = n; last > 1; last--)
        for (int at = 1; at < last; at++)
            if (v[at] > v[at + 1]) {
                int larger = v[at];
                v[at] = v[at + 1];
                v[at + 1] = larger;
                swaps++;
            }
    return swaps;
}

int main(void) {
    int v[LIMIT] = {4, 0, 1, 8, 0, 2};
    int n = 0;
    offshoot_symbolic(v, sizeof v, "v");
    offshoot_symbolic(&n, sizeof n, "n");
    return bubble(v, n) > 100;
}
