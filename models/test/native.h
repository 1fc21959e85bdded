// Shared by the differential tests of scanf, strtod, wide, multibyte, fnmatch.
#ifndef NATIVE_H
#define NATIVE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int off_native_concrete;

static uint64_t random_state = 88172645463325252ull;

static inline unsigned random_below(unsigned n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 20) % n);
}

static inline const char *random_of(const char *const *list, unsigned n) {
    return list[random_below(n)];
}

#define PICK(...) random_of((const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static inline void show(const char *s) {
    fputc('"', stderr);
    for (; *s; s++) {
        if (*s < 32 || *s == '"' || *s == 127) {
            fprintf(stderr, "\\x%02x", (unsigned char)*s);
        } else {
            fputc(*s, stderr);
        }
    }
    fputc('"', stderr);
}

static int failures;

static inline void failed(void) {
    if (++failures > 20) {
        fprintf(stderr, "too many failures\n");
        exit(1);
    }
}

#endif
