// run: 0 3
// run: 2 0
#include <stdbool.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    bool r = false;
    r |= a && b;
    r ^= a || b;
    r = r ? a && !b : b || !a;
    while ((r = a-- > 0 && b++ < 9))
        ;
    struct {
        unsigned f : 1;
    } s = {.f = a || b};
    return s.f && r;
}
