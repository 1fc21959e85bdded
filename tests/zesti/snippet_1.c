// ZESTI, Figure 1: 50 and 100 cover every line, branch and path of f; a negative number leaves the array.
#include <stdio.h>

int v[100];

static void f(int x) {
    if (x > 99)
        x = 99;
    v[x] = 1;
}

int main(void) {
    int x = 0;
    if (fread(&x, sizeof x, 1, stdin) == 1)
        f(x);
    return 0;
}
