// Everything that the other programs get wrong, done right: nothing may be reported.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int v[100];
static const char *const names[] = {"zero", "one", NULL, "three"};

int main(void) {
    int in[4];
    if (fread(in, sizeof in, 1, stdin) != 1)
        return 0;
    if (in[0] >= 0 && in[0] < 100)
        v[in[0]] = 1;

    unsigned size = (unsigned)in[1] % 64 + 1, index = (unsigned)in[2] % 64;
    char *block = malloc(size);
    if (block == NULL)
        return 0;
    memset(block, 'x', size);
    if (index < size)
        putchar(block[index]);

    char copy[16];
    size_t length = (size_t)(unsigned)in[2];
    if (length <= sizeof copy && length <= size)
        memcpy(copy, block, length);

    const char *name = names[(unsigned)in[3] % 4];
    if (name != NULL)
        putchar(name[0]);
    if (in[3] != 0 && in[3] != -1)
        printf("%d\n", in[0] / in[3]);
    assert(index != 64);
    free(block);
    return 0;
}
