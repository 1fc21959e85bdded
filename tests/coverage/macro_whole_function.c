// run: 1
// run: 2
#include <stdlib.h>

#define DEFINE(name, op)                                                                                               \
    static int name(int a, int b) {                                                                                    \
        if (a op b && a != 2)                                                                                          \
            return 1;                                                                                                  \
        return 0;                                                                                                      \
    }

DEFINE(less, <)
DEFINE(greater, >)
DEFINE(never_called, ==)

int main(int argc, char **argv) {
    int a = atoi(argv[1]);
    return less(a, 2) + greater(a, 2);
}
