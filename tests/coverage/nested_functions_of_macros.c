// run: 4
// run: 0
#include <stdlib.h>

#define ALL3(a, b, c) ((a) && (b) && (c))
#define ANY3(a, b, c) ((a) || (b) || (c))

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (ALL3(x > 1, ANY3(x == 2, x == 4, x == 8), x < 9))
        x++;
    if (ANY3(ALL3(x, x > 2, x > 3), ALL3(!x, x < 1, argc), ANY3(x > 5, x > 6, x > 7)))
        x++;
    if (ALL3(x, x, x) && ANY3(x, x, x) && ALL3(argc, argc, ALL3(x, argc, x)))
        x++;
    return x;
}
