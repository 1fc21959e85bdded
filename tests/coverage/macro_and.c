// run: 1 2
// run: 2 1
// run: 3 3
#include <stdlib.h>

#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (BOTH(a > 1, b > 1))
        return 1;
    if (EITHER(a == 2, b == 2) && a < 5)
        return 2;
    return BOTH(a, EITHER(b, a));
}
