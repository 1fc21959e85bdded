// run: 5
// run: 50
// run: -5
#include <stdlib.h>

#define LOW 0
#define HIGH 10
#define ABOVE(x) ((x) > LOW)
#define BELOW(x) ((x) < HIGH)
#define BETWEEN(x) (ABOVE(x) && BELOW(x))
#define OUTSIDE(x) (!BETWEEN(x))

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (OUTSIDE(x) || BETWEEN(x + 1))
        x++;
    while (BETWEEN(x) && !OUTSIDE(x - 1))
        x++;
    return OUTSIDE(x) ? 1 : 0;
}
