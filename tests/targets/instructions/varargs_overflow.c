// Variadic arguments beyond the registers.
// args: a
#include <stdarg.h>

__attribute__((noinline)) static long last(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = 0;
    while (n-- > 0)
        value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(int argc, char **argv) {
    if (last(9, 1, 2, 3, 4, 5, 6, 7, 8, argv[1][0]) == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
