// ZESTI's first case study: ranges of columns as a bit vector. An open range (`6-`) does not count for the size of the
// vector, but its start is marked. A vector has room for eight columns a byte, so 3-5,6- does no harm.
#include <stdio.h>
#include <stdlib.h>

static char text[64];
static size_t at;

static unsigned number(void) {
    unsigned n = 0;
    while (text[at] >= '0' && text[at] <= '9')
        n = n * 10 + (unsigned)(text[at++] - '0');
    return n;
}

int main(void) {
    unsigned low[16], high[16], open = 0, largest = 0, ranges = 0;
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    do {
        unsigned from = number();
        if (text[at] == '-') {
            at++;
            if (text[at] < '0' || text[at] > '9') {
                open = from;
                continue;
            }
        }
        unsigned to = number();
        if (from == 0 || to < from || ranges == 16)
            return 0;
        low[ranges] = from;
        high[ranges++] = to;
        if (to > largest)
            largest = to;
    } while (text[at++] == ',');

    unsigned char *marked = calloc(largest / 8 + 1, 1);
    if (marked == NULL) return 0;
    for (unsigned i = 0; i < ranges; i++)
        for (unsigned column = low[i]; column <= high[i]; column++)
            marked[column / 8] |= (unsigned char)(1 << column % 8);
    if (open > 0)
        marked[open / 8] |= (unsigned char)(1 << open % 8);
    printf("%d\n", marked[0]);
    free(marked);
    return 0;
}
