// run: 0 0
// run: 2 1
#include <stdlib.h>

static int flag;

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    int both = a && b;
    int either = a || b;
    a > 1 && (flag = 1);
    b || (flag = 2);
    int table[2] = {a && !b, !a || b};
    int odd = table[a > 1 || b > 1];
    return both + either + odd + flag;
}
