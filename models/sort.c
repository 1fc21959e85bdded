// stdlib.h and search.h: sorting and searching arrays with the program's own comparison.
#include "model.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

// The comparison is instrumented code and may look at anything: there is no concrete fast path.
struct order {
    int (*compare)(const void *, const void *, void *);
    int (*compare2)(const void *, const void *);
    void *argument;
    size_t size;
};

static inline int compare(const struct order *o, const char *a, const char *b) {
    return o->compare2 ? o->compare2(a, b) : o->compare(a, b, o->argument);
}

// Sorts both halves, merges them into `space`, copies back; the tail of the second half already is where it belongs.
static void merge_sort(const struct order *o, char *base, size_t n, char *space) {
    if (n < 2) {
        return;
    }
    size_t size = o->size, left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *out = space;
    merge_sort(o, a, left, space);
    merge_sort(o, b, right, space);
    while (left > 0 && right > 0) {
        if (compare(o, a, b) <= 0) {
            __off_copy(out, a, size);
            a += size;
            left--;
        } else {
            __off_copy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    __off_copy(out, a, left * size);
    __off_copy(base, space, (n - right) * size);
}

static void swap(char *a, char *b, size_t size) {
    char space[64];
    while (size > 0) {
        size_t n = size < sizeof space ? size : sizeof space;
        __off_copy(space, a, n);
        __off_copy(a, b, n);
        __off_copy(b, space, n);
        a += n;
        b += n;
        size -= n;
    }
}

// Without memory: in place, and still stable.
static void insertion_sort(const struct order *o, char *base, size_t n) {
    for (size_t i = 1; i < n; i++) {
        for (char *p = base + i * o->size; p > base && compare(o, p - o->size, p) > 0; p -= o->size) {
            swap(p - o->size, p, o->size);
        }
    }
}

static void sort(const struct order *o, void *base, size_t n) {
    char few[1024];
    if (n < 2) {
        return;
    }
    if (o->size <= sizeof few / n) {
        merge_sort(o, base, n, few);
        return;
    }
    int before = errno;
    char *space = OFF(malloc)(n * o->size);
    errno = before;
    if (!space) {
        insertion_sort(o, base, n);
        return;
    }
    merge_sort(o, base, n, space);
    OFF(free)(space);
}

MODEL(void, qsort)(void *base, size_t n, size_t size, int (*order)(const void *, const void *)) {
    sort(&(struct order){.compare2 = order, .size = size}, base, n);
}

MODEL(void, qsort_r)(void *base, size_t n, size_t size, int (*order)(const void *, const void *, void *), void *arg) {
    sort(&(struct order){.compare = order, .argument = arg, .size = size}, base, n);
}

MODEL(void *, bsearch)(const void *key, const void *base, size_t n, size_t size,
                       int (*order)(const void *, const void *)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *p = (const char *)base + middle * size;
        int c = order(key, p);
        if (c == 0) {
            return (void *)(uintptr_t)p;
        }
        if (c < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return 0;
}

static void *linear(const void *key, const void *base, size_t n, size_t size,
                    int (*order)(const void *, const void *)) {
    const char *p = base;
    for (size_t i = 0; i < n; i++) {
        if (order(key, p) == 0) {
            return (void *)(uintptr_t)p;
        }
        p += size;
    }
    return 0;
}

MODEL(void *, lfind)(const void *key, const void *base, size_t *n, size_t size,
                     int (*order)(const void *, const void *)) {
    return linear(key, base, *n, size, order);
}

MODEL(void *, lsearch)(const void *key, void *base, size_t *n, size_t size, int (*order)(const void *, const void *)) {
    void *p = linear(key, base, *n, size, order);
    if (!p) {
        p = (char *)base + *n * size;
        model_copy(p, key, size);
        *n += 1;
    }
    return p;
}
