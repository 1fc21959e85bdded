// What every libc model includes: names, the real functions, and the run-time library's services.
#ifndef OFF_MODEL_H
#define OFF_MODEL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#undef _FORTIFY_SOURCE
#define __NO_CTYPE 1

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <features.h>

// The symbol of the model of libc function `name`.
#ifdef OFF_NATIVE_TEST
#define OFF(name) m_##name
#else
#define OFF(name) __off_w_##name
#endif

// Start of a model's definition: MODEL(size_t, strlen)(const char *s) { ... }. Weak, because a program that defines
// the function itself brings its own, and one archive member holds many models. For the same reason a model never
// calls another model of the same file through OFF: shared bodies are static functions.
#define MODEL(type, name) __attribute__((weak)) type OFF(name)

// Declares the real libc function: RAW(size_t, strlen, (const char *)); it is then called as raw_strlen(s).
#define RAW(type, name, params) extern type raw_##name params __asm__(#name)

// Are these bytes free of symbolic shadow? Reads shadow only, so a range that is too long is slow, never wrong.
int __off_concrete(const void *p, size_t n);
// memmove, memset with shadows.
void __off_copy(void *dst, const void *src, size_t n);
void __off_set(void *dst, int c, size_t n);
// The bytes were written concretely by code without instrumentation.
void __off_clear(void *p, size_t n);
// Counts a loss "partial model" of this function.
void __off_loss(const char *function);

// Are these values (arguments: integers, pointers cast to uintptr_t) concrete? A value has no address, so they are
// stored, with their shadows, into an array that has. To be asked before values go to a RAW function.
#define VALUES(...)                                                                                                    \
    __off_concrete((const uintptr_t[]){__VA_ARGS__}, sizeof((const uintptr_t[]){__VA_ARGS__}))
#define V(value) ((uintptr_t)(value))

// The heap of models whose result the caller frees (strdup) is the instrumented program's heap.
void *OFF(malloc)(size_t n);
void OFF(free)(void *p);

// A copy that also reads through a symbolic source pointer. Regions do not overlap.
static inline void model_copy(void *dst, const void *src, size_t n) {
    if (VALUES(V(dst), V(src), n)) {
        __off_copy(dst, src, n);
    } else {
        for (size_t i = 0; i < n; i++) {
            ((unsigned char *)dst)[i] = ((const unsigned char *)src)[i];
        }
    }
}

#endif
