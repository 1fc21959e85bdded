// run: 3
// run: 8
#include <stdlib.h>

#define REAL(x) ((x) > 5 && (x) < 9)
#define ALIAS(x) REAL(x)
#define ALIAS2(x) ALIAS(x)
#define STEP x++;

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (ALIAS2(x))
        return 1;
    STEP STEP
    if (ALIAS(x)) {
        STEP
    }
    return x;
}
