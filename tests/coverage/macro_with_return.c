// run: 0
// run: 3
#include <stdlib.h>

#define TRY(e)                                                                                                         \
    if ((e) < 0)                                                                                                       \
    return -1
#define LOOP(i, n) for (int i = 0; i < (n) && i != 77; i++)

static int step(int x) {
    return x > 2 ? -1 : x;
}

static int all(int x) {
    TRY(step(x));
    LOOP(i, x) {
        TRY(step(i + x));
    }
    return 0;
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    return all(x) || all(x + 1) || all(x + 2);
}
