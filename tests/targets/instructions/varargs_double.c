// Doubles and integers mixed through va_arg.
// args: ab
#include <stdarg.h>

__attribute__((noinline)) static double mixed(int n, ...) {
    va_list list;
    va_start(list, n);
    double first = va_arg(list, double);
    int second = va_arg(list, int);
    double third = va_arg(list, double);
    va_end(list);
    return first + second + third;
}

int main(int argc, char **argv) {
    if (mixed(2, 1.5, argv[1][0], (double)argv[1][1]) == 'a' + 'b' + 1.5)
    //~ branch: (double)arg[1][1] + ((double)(int8)arg[1][0] + 1.5) == 196.5
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
