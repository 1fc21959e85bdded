// run: 1 0
// run: 0 1
#include <stdlib.h>

#define ID(x) x
#define TWICE(x) ((x) + (x))
#define APPLY(f, x) f(x)
#define NOTHING(x)

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    int n = ID(a && b) + TWICE(a || b);
    n += APPLY(ID, (a ? b : 3));
    NOTHING(a && b);
    if (ID(ID(a) && ID(b)) || ID(!a && !b))
        n++;
    return n;
}
