// aligned_alloc and posix_memalign.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = aligned_alloc(64, argv[1][0] * 64); //~ allocate: (int32)((int8)arg[1][0] << 6); call of aligned_alloc
    void *q;
    if (posix_memalign(&q, 64, argv[1][1]) != 0) //~ allocate: (int8)arg[1][1]; call of posix_memalign
        return 2;
    p[0] = argv[1][0]; //~[O0] access: ADDRESS; write of 1 bytes at offset 0 of heap block of 6208 bytes
    if (p[0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
