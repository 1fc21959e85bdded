// qsort: the comparisons are conditions on the input.
// args: cab
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

int main(int argc, char **argv) {
    char text[3];
    memcpy(text, argv[1], 3);
    qsort(text, 3, 1, compare);
    if (text[0] == 'a' && text[2] == 'c')
    //~ branch: arg[1][1] == 'a'
    //~ branch: arg[1][0] == 'c'
        return 0;
    return 1;
}

//~ libc: (int32)((int8)arg[1][1] - (int8)arg[1][2]) < 1
//~ libc: (int32)((int8)arg[1][0] - (int8)arg[1][1]) >= 1
//~ libc: (int32)((int8)arg[1][0] - (int8)arg[1][2]) >= 1
//~ sources: arg[1](3)
//~ no-loss
