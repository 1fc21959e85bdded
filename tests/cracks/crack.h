// A lock that only one kind of input opens. The seed is SEED zero bytes; an opened lock is a crash that `explore` must find.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 32

static inline void read_seed(unsigned char *in) {
    memset(in, 0, SEED);
    if (fread(in, 1, SEED, stdin) == 0)
        exit(1);
}

#define OPEN() abort()
