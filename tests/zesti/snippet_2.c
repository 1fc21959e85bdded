// ZESTI, Figure 4: from a number between 100 and 199 the decision that matters is the second one back.
#include <stdio.h>

int v[100];

static void f(int x) {
    if (x > 99) {
        if (x > 199)
            return;
        x = 99;
    }
    v[x] = 1;
}

int main(void) {
    int x = 0;
    if (fread(&x, sizeof x, 1, stdin) == 1)
        f(x);
    return 0;
}
