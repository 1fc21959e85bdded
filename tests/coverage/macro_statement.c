// run: 1
// run: 7
#include <stdlib.h>

#define CLAMP(x, low, high)                                                                                            \
    do {                                                                                                               \
        if ((x) < (low))                                                                                               \
            (x) = (low);                                                                                               \
        else if ((x) > (high) && (x) != 99)                                                                            \
            (x) = (high);                                                                                              \
    } while (0)

#define CHECK(c)                                                                                                       \
    if (!(c))                                                                                                          \
        return 1

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    CLAMP(x, 3, 5);
    CLAMP(x, 4, 6);
    CHECK(x == 4 || x == 5);
    CHECK(x < 5 && x > 0);
    return 0;
}
