// stdlib.h and inttypes.h: numbers out of strings, absolute values, quotients.
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/types.h>

RAW(size_t, strspn, (const char *, const char *));
RAW(long, strtol, (const char *, char **, int));
RAW(unsigned long, strtoul, (const char *, char **, int));
RAW(long, __strtol_internal, (const char *, char **, int, int));
RAW(unsigned long, __strtoul_internal, (const char *, char **, int, int));

// int is 32 bits; long, long long and intmax_t are all 64 bits wide here.
_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8 && sizeof(intmax_t) == 8, "one body for all of them");

// ---- digits

// Are all bytes concrete that a conversion that ended here has looked at?
static inline int concrete_number(const char *s, const char *stop) {
    // A sign and a prefix may have been looked at in vain, and always the byte that ends the number.
    size_t n = stop == s ? raw_strspn(s, " \t\n\v\f\r") : (size_t)(stop - s);
    return __off_concrete(s, n + 3);
}

static inline unsigned space(unsigned char c) {
    return (unsigned)(c == ' ') | (unsigned)((unsigned)c - '\t' < 5);
}

// Is c a digit of this base? Leaves its value.
static inline int digit(unsigned char c, unsigned base, unsigned *value) {
    *value = (unsigned)c - '0';
    if (base <= 10) {
        return *value < base;
    }
    if (*value < 10) {
        return 1;
    }
    unsigned letter = ((unsigned)c | 32) - 'a';
    *value = letter + 10;
    return letter < base - 10;
}

struct number {
    const char *stop;
    uint64_t magnitude;
    int negative, fits;
};

// Reads a number of at most `max`, or, if negative, of a magnitude of at most `min`.
static inline struct number number(const char *s, unsigned base, uint64_t max, uint64_t min, int binary) {
    struct number r = {s, 0, 0, 1};
    unsigned d;
    while (space((unsigned char)*s)) {
        s++;
    }
    if (*s == '-') {
        r.negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (base == 0 && *s != '0') {
        base = 10;
    }
    // A prefix is one only if a digit follows.
    if ((base == 0 || base == 16) && *s == '0' && (s[1] | 32) == 'x' && digit((unsigned char)s[2], 16, &d)) {
        base = 16;
        s += 2;
    }
    if (binary && (base == 0 || base == 2) && *s == '0' && (s[1] | 32) == 'b' && digit((unsigned char)s[2], 2, &d)) {
        base = 2;
        s += 2;
    }
    if (base == 0) {
        base = 8;
    }
    const char *first = s;
    uint64_t limit = r.negative ? min : max, cut = limit / base;
    // The largest number of as many digits: as long as that is in range, there is nothing to ask.
    uint64_t largest = 0;
    while (digit((unsigned char)*s, base, &d)) {
        if (largest <= (limit - (base - 1)) / base) {
            largest = largest * base + (base - 1);
        } else {
            largest = limit;
            if (r.fits &&
                ((unsigned)(r.magnitude > cut) | ((unsigned)(r.magnitude == cut) & (unsigned)(d > limit % base)))) {
                r.fits = 0;
            }
        }
        if (r.fits) {
            r.magnitude = r.magnitude * base + d;
        }
        s++;
    }
    if (s != first) {
        r.stop = s;
    }
    return r;
}

static inline int valid(int base) {
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    return 1;
}

static inline long finish_signed(struct number n, char **end) {
    if (end) {
        *end = (char *)(uintptr_t)n.stop;
    }
    if (!n.fits) {
        errno = ERANGE;
        return n.negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static inline unsigned long finish_unsigned(struct number n, char **end) {
    if (end) {
        *end = (char *)(uintptr_t)n.stop;
    }
    if (!n.fits) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

static inline long to_signed(const char *s, char **end, int base) {
    if (!valid(base)) {
        return 0;
    }
    if (VALUES(V(s), V(base))) {
        char *stop;
        int before = errno;
        long v = raw_strtol(s, &stop, base);
        if (concrete_number(s, stop)) {
            if (end) {
                *end = stop;
            }
            return v;
        }
        errno = before;
    }
    return finish_signed(number(s, (unsigned)base, LONG_MAX, (uint64_t)LONG_MAX + 1, 0), end);
}

static inline unsigned long to_unsigned(const char *s, char **end, int base) {
    if (!valid(base)) {
        return 0;
    }
    if (VALUES(V(s), V(base))) {
        char *stop;
        int before = errno;
        unsigned long v = raw_strtoul(s, &stop, base);
        if (concrete_number(s, stop)) {
            if (end) {
                *end = stop;
            }
            return v;
        }
        errno = before;
    }
    return finish_unsigned(number(s, (unsigned)base, ULONG_MAX, ULONG_MAX, 0), end);
}

// Numbers with thousands separators of the locale.
static inline long to_signed_grouped(const char *s, char **end, int base, int group) {
    if (group) {
        __off_loss("__strtol_internal");
        long v = raw___strtol_internal(s, end, base, group);
        __off_clear(end, end ? sizeof *end : 0);
        return v;
    }
    return to_signed(s, end, base);
}

static inline unsigned long to_unsigned_grouped(const char *s, char **end, int base, int group) {
    if (group) {
        __off_loss("__strtoul_internal");
        unsigned long v = raw___strtoul_internal(s, end, base, group);
        __off_clear(end, end ? sizeof *end : 0);
        return v;
    }
    return to_unsigned(s, end, base);
}

MODEL(long, strtol)(const char *s, char **end, int base) {
    return to_signed(s, end, base);
}

MODEL(long long, strtoll)(const char *s, char **end, int base) {
    return to_signed(s, end, base);
}

MODEL(long long, strtoq)(const char *s, char **end, int base) {
    return to_signed(s, end, base);
}

MODEL(intmax_t, strtoimax)(const char *s, char **end, int base) {
    return to_signed(s, end, base);
}

MODEL(unsigned long, strtoul)(const char *s, char **end, int base) {
    return to_unsigned(s, end, base);
}

MODEL(unsigned long long, strtoull)(const char *s, char **end, int base) {
    return to_unsigned(s, end, base);
}

MODEL(unsigned long long, strtouq)(const char *s, char **end, int base) {
    return to_unsigned(s, end, base);
}

MODEL(uintmax_t, strtoumax)(const char *s, char **end, int base) {
    return to_unsigned(s, end, base);
}

MODEL(long, strtol_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_signed(s, end, base);
}

MODEL(long, __strtol_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_signed(s, end, base);
}

MODEL(long long, strtoll_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_signed(s, end, base);
}

MODEL(long long, __strtoll_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_signed(s, end, base);
}

MODEL(unsigned long, strtoul_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_unsigned(s, end, base);
}

MODEL(unsigned long, __strtoul_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_unsigned(s, end, base);
}

MODEL(unsigned long long, strtoull_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_unsigned(s, end, base);
}

MODEL(unsigned long long, __strtoull_l)(const char *s, char **end, int base, locale_t l) {
    (void)l;
    return to_unsigned(s, end, base);
}

MODEL(long, __strtol_internal)(const char *s, char **end, int base, int group) {
    return to_signed_grouped(s, end, base, group);
}

MODEL(long long, __strtoll_internal)(const char *s, char **end, int base, int group) {
    return to_signed_grouped(s, end, base, group);
}

MODEL(unsigned long, __strtoul_internal)(const char *s, char **end, int base, int group) {
    return to_unsigned_grouped(s, end, base, group);
}

MODEL(unsigned long long, __strtoull_internal)(const char *s, char **end, int base, int group) {
    return to_unsigned_grouped(s, end, base, group);
}

#if __GLIBC_PREREQ(2, 38)
// C23 has the prefix 0b.
static inline long to_signed_c23(const char *s, char **end, int base) {
    return valid(base) ? finish_signed(number(s, (unsigned)base, LONG_MAX, (uint64_t)LONG_MAX + 1, 1), end) : 0;
}

static inline unsigned long to_unsigned_c23(const char *s, char **end, int base) {
    return valid(base) ? finish_unsigned(number(s, (unsigned)base, ULONG_MAX, ULONG_MAX, 1), end) : 0;
}

#define C23(type, name, body)                                                                                          \
    MODEL(type, __isoc23_##name)(const char *s, char **end, int base) {                                                \
        return body(s, end, base);                                                                                     \
    }

C23(long, strtol, to_signed_c23)
C23(long long, strtoll, to_signed_c23)
C23(intmax_t, strtoimax, to_signed_c23)
C23(unsigned long, strtoul, to_unsigned_c23)
C23(unsigned long long, strtoull, to_unsigned_c23)
C23(uintmax_t, strtoumax, to_unsigned_c23)
#endif

MODEL(int, atoi)(const char *s) {
    return (int)to_signed(s, 0, 10);
}

MODEL(long, atol)(const char *s) {
    return to_signed(s, 0, 10);
}

MODEL(long long, atoll)(const char *s) {
    return to_signed(s, 0, 10);
}

// ---- arithmetic

MODEL(int, abs)(int v) {
    unsigned sign = (unsigned)(v >> 31);
    return (int)(((unsigned)v ^ sign) - sign);
}

static inline long magnitude(long v) {
    unsigned long sign = (unsigned long)(v >> 63);
    return (long)(((unsigned long)v ^ sign) - sign);
}

MODEL(long, labs)(long v) {
    return magnitude(v);
}

MODEL(long long, llabs)(long long v) {
    return magnitude(v);
}

MODEL(intmax_t, imaxabs)(intmax_t v) {
    return magnitude(v);
}

MODEL(div_t, div)(int numerator, int denominator) {
    div_t r;
    r.quot = numerator / denominator;
    r.rem = numerator % denominator;
    return r;
}

MODEL(ldiv_t, ldiv)(long numerator, long denominator) {
    ldiv_t r;
    r.quot = numerator / denominator;
    r.rem = numerator % denominator;
    return r;
}

MODEL(lldiv_t, lldiv)(long long numerator, long long denominator) {
    lldiv_t r;
    r.quot = numerator / denominator;
    r.rem = numerator % denominator;
    return r;
}

MODEL(imaxdiv_t, imaxdiv)(intmax_t numerator, intmax_t denominator) {
    imaxdiv_t r;
    r.quot = numerator / denominator;
    r.rem = numerator % denominator;
    return r;
}
