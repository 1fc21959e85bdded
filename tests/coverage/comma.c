// run: 0 1
// run: 1 1
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), n;
    if (n = a, n && b)
        n++;
    for (int i = 0, j = 5; i++, j-- > 0 && i < 4;)
        n += i;
    return (a && b, n) + (a ? (b, 1) : (n, 2));
}
