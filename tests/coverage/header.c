// with: other.c
// run: 1
// run: 9
#include <stdlib.h>

#include "parts/range.h"

int other(int x);

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    return in_range(x) && used_in_one(x) ? other(x) : external_inline(x) + 10;
}
