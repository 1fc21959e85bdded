// The block's size and the index both come from the input: one too few is allowed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char in[2];
    if (fread(in, 1, 2, stdin) != 2 || in[0] == 0)
        return 0;
    char *block = malloc(in[0]);
    if (block == NULL || in[1] > in[0])
        return 0;
    block[in[1]] = 1;
    putchar(block[in[1]]);
    free(block);
    return 0;
}
