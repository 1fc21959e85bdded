// run: 1
// run: 4
// A comment behind a macro: the line starts with a skipped region and has code nevertheless.
#include <stdlib.h>

#define VALUE 3
#define LESS(x) ((x) < VALUE)
#define TWICE(x) ((x) * 2)

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int table[] = {
        0,     /* first */
        VALUE, /* second */
        VALUE  /* third */
    };
    if (LESS(x)  /* a condition */
        ? TWICE(x) > 1 && table[1]
        : table[2])
        x = LESS(x) ? TWICE(x) /* one way */
                    : x + 1;
    return (x > 4) ? TWICE(x)  /* the other way */
                   : LESS(x);
}
