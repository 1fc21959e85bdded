// count * 16 is computed in 32 bits.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned count;
    if (fread(&count, sizeof count, 1, stdin) != 1 || count == 0)
        return 0;
    char *table = malloc(count * 16);
    if (table == NULL)
        return 0;
    table[15] = 1;
    putchar(table[15]);
    free(table);
    return 0;
}
