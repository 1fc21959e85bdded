// A structure through va_arg.
// args: a
#include <stdarg.h>

struct two {
    long a, b;
};

__attribute__((noinline)) static long second(int n, ...) {
    va_list list;
    va_start(list, n);
    struct two t = va_arg(list, struct two);
    t = va_arg(list, struct two);
    va_end(list);
    return t.a;
}

int main(int argc, char **argv) {
    if (second(2, (struct two){1, 2}, (struct two){argv[1][0], 4}) == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
