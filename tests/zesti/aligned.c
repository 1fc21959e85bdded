// AddressSanitizer takes only multiples of the alignment as sizes; the error lies behind such a block.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    unsigned char *block = aligned_alloc(4096, 5000);
    if (!block || read(0, block, 1) != 1)
        return 1;
    printf("%d\n", 1000 / block[0]);
    free(block);
    return 0;
}
