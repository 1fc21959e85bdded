// run: 0
// run: 6
#include <stdlib.h>

static int odd(int n);

static int even(int n) {
    return n == 0 || (n > 0 && odd(n - 1));
}

static int odd(int n) {
    return n != 0 && even(n - 1);
}

static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    return even(n) || fib(n) > 4;
}
