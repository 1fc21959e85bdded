// run: 1
// run: 2
// run: 3
#include <stdlib.h>

struct entry {
    int key;
    const char *text;
};

int main(int argc, char **argv) {
    int x = atoi(argv[1]), n = 1;
    struct entry table[] = {
#include "parts/table.inc"
    };
    switch (x) {
#include "parts/cases.inc"
    default:
        n = table[0].key;
    }
    return n;
}
