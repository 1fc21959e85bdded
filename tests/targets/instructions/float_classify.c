// isnan, isinf, isfinite, signbit.
// args: "abcdefg\xc1"
#include <math.h>

int main(int argc, char **argv) {
    double a;
    __builtin_memcpy(&a, argv[1], sizeof a);
    if (isnan(a)) //~ branch: !unordered(arg[1][0..8]:u64, 0)
        return 1;
    if (isinf(a))
    //~ branch: (int64)arg[1][0..8]:u64 < 0
    //~ branch: (arg[1][0..8]:u64 & 0x7fffffffffffffff) != inf
        return 2;
    if (!isfinite(a))
    //~ branch: !((arg[1][0..8]:u64 & 0x7fffffffffffffff) == inf || unordered(arg[1][0..8]:u64 & 0x7fffffffffffffff, 0x7ff0000000000000))
        return 3;
    if (signbit(a)) //~ branch: (int64)arg[1][0..8]:u64 < 0
        return 0;
    return 4;
}

//~ sources: arg[1](8)
//~ no-loss
