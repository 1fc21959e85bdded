// Effects of functions of libm. In a file of their own: whoever links it links libm.
#include "effects.h"

#define TWO(name, type)                                                                                                \
    RAW(void, name, (type, type *, type *));                                                                           \
    MODEL(void, name)(type x, type *a, type *b) {                                                                      \
        raw_##name(x, a, b);                                                                                           \
        __off_clear(a, sizeof *a);                                                                                     \
        __off_clear(b, sizeof *b);                                                                                     \
    }

TWO(sincos, double)
TWO(sincosf, float)
TWO(sincosl, long double)
FILLS(double, lgamma_r, (double x, int *to), (x, to), 1, to, sizeof *to)
FILLS(float, lgammaf_r, (float x, int *to), (x, to), 1, to, sizeof *to)
FILLS(double, remquo, (double x, double y, int *to), (x, y, to), 1, to, sizeof *to)
FILLS(float, remquof, (float x, float y, int *to), (x, y, to), 1, to, sizeof *to)
