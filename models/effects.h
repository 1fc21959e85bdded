// Functions without a model whose effects on memory are known: libc does the work, what it wrote is concrete. An argument
// that is symbolic itself is counted by the call into libc; where memory behind a pointer is symbolic, the model says so.
#ifndef OFF_EFFECTS_H
#define OFF_EFFECTS_H

#include "model.h"

RAW(size_t, strlen, (const char *));

// Libc has allocated a block for the caller.
void __off_block_moved(void *old, void *new, size_t size);

// Calls the real function; if `good` says of its result `r` that it has, it has filled `size` bytes at `to`.
#define FILLS(type, name, params, args, good, to, size)                                                                \
    RAW(type, name, params);                                                                                           \
    MODEL(type, name) params {                                                                                         \
        type r = raw_##name args;                                                                                      \
        if ((good) && (to)) {                                                                                          \
            __off_clear((void *)(to), (size));                                                                         \
        }                                                                                                              \
        return r;                                                                                                      \
    }

// Likewise, two places.
#define FILLS2(type, name, params, args, good, to, size, to2, size2)                                                   \
    RAW(type, name, params);                                                                                           \
    MODEL(type, name) params {                                                                                         \
        type r = raw_##name args;                                                                                      \
        if (good) {                                                                                                    \
            if (to) {                                                                                                  \
                __off_clear((void *)(to), (size));                                                                     \
            }                                                                                                          \
            if (to2) {                                                                                                 \
                __off_clear((void *)(to2), (size2));                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        return r;                                                                                                      \
    }

// Says that this string goes to libc, if any of it is symbolic.
static inline void string_goes(const char *s, const char *function) {
    if (s && !__off_concrete(s, raw_strlen(s) + 1)) {
        __off_loss(function);
    }
}

static inline void bytes_go(const void *p, size_t n, const char *function) {
    if (p && !__off_concrete(p, n)) {
        __off_loss(function);
    }
}

static inline void clear_string(char *s) {
    if (s) {
        __off_clear(s, raw_strlen(s) + 1);
    }
}

// A string that libc has allocated for the caller.
static inline char *new_string(char *s) {
    if (s) {
        __off_block_moved(NULL, s, raw_strlen(s) + 1);
    }
    return s;
}

#endif
