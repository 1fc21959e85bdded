// The run-time part of variant `asan`: where the tool asks for it, the program is a fork server. AddressSanitizer has its
// own shadow memory in the place of ours, so nothing is traced. It takes what glibc takes, and
// ends at checks of arithmetic.

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Asked for by name on the link line: nothing else refers to this file.
int __off_served = 1;

extern void __off_register(const void *, int, char **, char **) __attribute__((weak));

static void be_served(int argc, char **argv, char **envp) {
    if (__off_register != NULL)
        __off_register(NULL, argc, argv, envp);
}

// Before all constructors, and after AddressSanitizer. Attributes know no such priority.
__attribute__((used, retain, section(".init_array.00000"))) static void (*const first)(int, char **, char **) = be_served;

// The link line sends `aligned_alloc` here. glibc takes every size; AddressSanitizer only multiples of the alignment, and a
// program that relies on glibc would not get beyond its first buffer.
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

// Checks of arithmetic that are compiled in. OFFSHOOT_ABORT_ON names those that end the program; all others are let pass.
// `crates/check/src/judge.rs` reads the line.
static void failed(const char *check, const char *kind) {
    const char *wanted = getenv("OFFSHOOT_ABORT_ON");
    if (wanted == NULL || strstr(wanted, check) == NULL)
        return;
    fprintf(stderr, "runtime error: %s\n", kind);
    abort();
}

#define CHECKED(name, check, kind) \
    void __ubsan_handle_##name##_minimal(void); \
    void __ubsan_handle_##name##_minimal(void) { \
        failed(check, kind); \
    }

CHECKED(add_overflow, "overflow", "signed-overflow")
CHECKED(sub_overflow, "overflow", "signed-overflow")
CHECKED(mul_overflow, "overflow", "signed-overflow")
CHECKED(negate_overflow, "overflow", "signed-overflow")
CHECKED(divrem_overflow, "overflow", "signed-overflow")
CHECKED(shift_out_of_bounds, "shift", "shift-out-of-range")
CHECKED(implicit_conversion, "conversion", "lossy-conversion")
