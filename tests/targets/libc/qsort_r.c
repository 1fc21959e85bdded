// qsort_r with a context.
// args: ba
// cc: -D_GNU_SOURCE
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b, void *sign) {
    return *(int *)sign * (*(const char *)a - *(const char *)b);
}

int main(int argc, char **argv) {
    char text[2];
    int sign = 1;
    memcpy(text, argv[1], 2);
    qsort_r(text, 2, 1, compare, &sign);
    if (text[0] == 'a') //~ branch: arg[1][1] == 'a'
        return 0;
    return 1;
}

//~ libc: (int32)((int8)arg[1][0] - (int8)arg[1][1]) >= 1
//~ sources: arg[1](2)
//~ no-loss
