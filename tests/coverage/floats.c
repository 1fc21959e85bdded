// run: 0.5 2
// run: -1 0
#include <stdlib.h>

int main(int argc, char **argv) {
    double a = atof(argv[1]), b = atof(argv[2]);
    const char *p = argv[1];
    if (a > 0 && b / a > 3.5)
        return 1;
    if (p && *p && p[1])
        return 2;
    return a || b;
}
