// run: 0 0
// run: 1 0
// run: 1 1
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), n = 0;
    if (!(a && b))
        n++;
    if (!a || !b)
        n++;
    if (!!(a || b) && !(!a && !b))
        n++;
    if (!(a == b))
        n++;
    return n;
}
