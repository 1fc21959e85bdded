// Which triangle three lengths make, and how many of its sides are equal.
#include <offshoot.h>

enum { NONE, FLAT, EQUILATERAL, ISOSCELES, SCALENE };

static int classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (a > 1000 || b > 1000 || c > 1000)
        return NONE;
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        int t = b;
        b = c;
        c = t;
    }
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (a > c) // they are in order
        return -1;
    if (a + b < c)
        return NONE;
    if (a + b == c)
        return FLAT;
    if (a == b)
        return b == c ? EQUILATERAL : ISOSCELES;
    return b == c ? ISOSCELES : SCALENE;
}

static int describe(int kind) {
    switch (kind) {
    case NONE:
    case FLAT:
    case SCALENE: return 0;
    case ISOSCELES: return 2;
    case EQUILATERAL: return 3;
    default: return -1;
    }
}

int main(void) {
    int a = offshoot_symbolic_int("a"), b = offshoot_symbolic_int("b"), c = offshoot_symbolic_int("c");
    return describe(classify(a, b, c)) < 0;
}
