// The run-time library's services for native tests of the models.
#include "../model.h"

#include <stdlib.h>
#include <string.h>

// What __off_concrete answers: 0 = always no, 1 = always yes, 2 = anything.
int off_native_concrete;
unsigned long off_native_losses;
static unsigned seed = 12345;

// What it was asked about since the count was set to 0.
struct {
    const char *start;
    size_t length;
} off_native_ranges[64];
int off_native_count;

int __off_concrete(const void *p, size_t n) {
    if (off_native_count < 64) {
        off_native_ranges[off_native_count].start = p;
        off_native_ranges[off_native_count++].length = n;
    }
    if (off_native_concrete != 2) {
        return off_native_concrete;
    }
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) & 1;
}

void __off_copy(void *dst, const void *src, size_t n) {
    memmove(dst, src, n);
}

void __off_set(void *dst, int c, size_t n) {
    memset(dst, c, n);
}

void __off_clear(void *p, size_t n) {
    (void)p, (void)n;
}

void __off_loss(const char *function) {
    (void)function;
    off_native_losses++;
}

void *m_malloc(size_t n) {
    return malloc(n);
}

void m_free(void *p) {
    free(p);
}
