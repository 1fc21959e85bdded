// with: other.c
// run: 4
#include <stdlib.h>

#include "parts/range.h"

int other(int x);

int main(int argc, char **argv) {
    return other(atoi(argv[1]));
}
