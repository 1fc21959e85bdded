// Released twice if both flags are set, and only then.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char in[2];
    if (fread(in, 1, 2, stdin) != 2)
        return 0;
    char *block = malloc(8);
    if (block == NULL)
        return 0;
    int released = 0;
    if (in[0] == 'r') {
        free(block);
        released = 1;
    }
    if (in[1] == 'q')
        free(block);
    else if (!released)
        free(block);
    return 0;
}
