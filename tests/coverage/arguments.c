// run: 0 1
// run: 5 5
#include <stdlib.h>

static int sum(int a, int b, int c) {
    return a + b + c;
}

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    int n = sum(a && b, a || b, a ? b > 3 && a : 0);
    n += sum(sum(a > 1 && b > 1, 0, 0), (a, b || a), sum(0, 0, !a && b));
    return n;
}
