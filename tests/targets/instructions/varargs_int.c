// Integers through va_arg.
// args: ab
#include <stdarg.h>

__attribute__((noinline)) static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    while (n-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(int argc, char **argv) {
    if (sum(3, argv[1][0], 5, argv[1][1]) == 'a' + 'b' + 5) //~ branch: (int8)arg[1][0] + 5 + (int8)arg[1][1] == 200
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
