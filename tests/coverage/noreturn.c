// run: 0
// run: 1
// run: 2
#include <stdlib.h>

static void __attribute__((noreturn)) fail(int code) {
    exit(code > 1 && code < 9 ? 7 : 8);
}

static void check(int x) {
    if (x == 1)
        fail(x);
    if (x == 2 || x == 3) {
        fail(x);
    } else {
        x++;
    }
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    check(x);
    x > 5 ? fail(3) : (void)0;
    return x;
}
