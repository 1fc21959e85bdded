// A variadic call with concrete arguments does not see those of the call before.
// args: a
#include <stdarg.h>

__attribute__((noinline)) static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    volatile int value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(int argc, char **argv) {
    if (first(1, argv[1][0]) != 'a') //~ branch: arg[1][0] == 'a'
        return 1;
    if (first(1, 'a') == 'a')
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
