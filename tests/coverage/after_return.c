// run: 0
// run: 1
#include <stdlib.h>

static int early(int x) {
    if (x)
        return 1;
    return 2;
    x++;
    if (x && x > 4)
        return 3;
    return 4;
}

static int loop(int x) {
    while (x) {
        break;
        x--;
    }
    for (;;) {
        return x;
        x = x || 3;
    }
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    return early(x) + loop(x);
}
