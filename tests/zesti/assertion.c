// Holds for the seed, not for all that take its path.
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char in[2];
    if (fread(in, 1, 2, stdin) != 2)
        return 0;
    unsigned sum = in[0] + in[1];
    assert(sum != 300);
    printf("%u\n", sum);
    return 0;
}
