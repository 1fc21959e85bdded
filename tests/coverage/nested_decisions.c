// run: 1 0 1
// run: 0 1 1
// run: 1 1 0
#include <stdlib.h>

static int pick(int x) {
    return x && x != 7;
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    int n = 0;
    if (a && (b ? c && a : c || b))
        n++;
    if (pick(a && b) || pick(b || c))
        n += 2;
    if ((a || b) == (b && c))
        n += 4;
    if (a && (b || (c && !(a && b))))
        n += 8;
    return n;
}
