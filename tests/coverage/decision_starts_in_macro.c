// run: 0 1
// run: 1 1
// run: 5 0
#include <stdlib.h>

#define A (a > 0)
#define AND &&
#define B_OR (b > 0 ||
#define CLOSE )
#define IF if (
#define THEN )

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), n = 0;
    if (A && b)
        n++;
    if (a AND b)
        n++;
    if (a && B_OR a > 3 CLOSE)
        n++;
    IF A AND b THEN
        n++;
    return n;
}
