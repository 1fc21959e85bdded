// A va_list handed to another function, and va_copy.
// args: ab
#include <stdarg.h>

__attribute__((noinline)) static int inner(int n, va_list list) {
    int total = 0;
    while (n-- > 0)
        total += va_arg(list, int);
    return total;
}

__attribute__((noinline)) static int outer(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int total = inner(n, list) + inner(n, copy);
    va_end(copy);
    va_end(list);
    return total;
}

int main(int argc, char **argv) {
    if (outer(2, argv[1][0], argv[1][1]) == 2 * ('a' + 'b'))
    //~ branch: (int8)arg[1][1] + (int8)arg[1][0] + ((int8)arg[1][1] + (int8)arg[1][0]) == 390
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
