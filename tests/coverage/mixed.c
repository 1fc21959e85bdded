// run: 0 0 0 0
// run: 1 1 0 0
// run: 0 1 1 0
// run: 1 0 1 1
#include <stdlib.h>

static int decide(int a, int b, int c, int d) {
    if ((a && b) || (c && d))
        return 1;
    if ((a || b) && (c || d))
        return 2;
    return (a && (b || c)) || d;
}

int main(int argc, char **argv) {
    return decide(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
}
