// strtod and its relatives. The shape of the text is found by branches. The value is a term of the digits where one
// rounded operation gives the exact result: a mantissa and a power that the type holds exactly.
#include "codeset.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

RAW(double, strtod, (const char *, char **));
RAW(float, strtof, (const char *, char **));
RAW(long double, strtold, (const char *, char **));
RAW(double, strtod_l, (const char *, char **, locale_t));
RAW(float, strtof_l, (const char *, char **, locale_t));
RAW(long double, strtold_l, (const char *, char **, locale_t));
RAW(double, __strtod_internal, (const char *, char **, int));
RAW(float, __strtof_internal, (const char *, char **, int));
RAW(long double, __strtold_internal, (const char *, char **, int));

double off_model_strtod(const char *, char **) __attribute__((visibility("hidden")));
float off_model_strtof(const char *, char **) __attribute__((visibility("hidden")));
long double off_model_strtold(const char *, char **) __attribute__((visibility("hidden")));

enum kind { NOTHING, DECIMAL, HEXADECIMAL, INFINITE, NOT_A_NUMBER, NAN_PAYLOAD };

struct number {
    enum kind kind;
    int negative;
    const char *first;        // first character of the mantissa: digits and at most one point
    const char *past;         // behind the mantissa
    const char *point;        // the point, or NULL
    size_t digits;            // digits in the mantissa
    size_t fraction;          // those of them behind the point
    int exponent_negative;
    const char *exponent;     // first digit of the exponent, or NULL
    const char *end;          // behind it all
};

static int is_space(char c) {
    if (c == ' ') {
        return 1;
    }
    return (unsigned char)(c - '\t') < 5;
}

static int is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

static int is_letter(char c, char lower) {
    return (c | 32) == lower;
}

static int is_hex_letter(char c) {
    return (unsigned char)((c | 32) - 'a') < 6;
}

static int is_word(char c) {
    if (is_digit(c)) {
        return 1;
    }
    if ((unsigned char)((c | 32) - 'a') < 26) {
        return 1;
    }
    return c == '_';
}

static int starts_with(const char *s, const char *lower) {
    for (; *lower; s++, lower++) {
        if (!is_letter(*s, *lower)) {
            return 0;
        }
    }
    return 1;
}

static void scan_mantissa(struct number *t, int hexadecimal) {
    const char *s = t->first;
    t->point = NULL;
    t->digits = 0;
    t->fraction = 0;
    for (;; s++) {
        if (is_digit(*s)) {
            t->digits++;
        } else if (hexadecimal && is_hex_letter(*s)) {
            t->digits++;
        } else if (!t->point && *s == '.') {
            t->point = s;
            continue;
        } else {
            break;
        }
        if (t->point) {
            t->fraction++;
        }
    }
    t->past = s;
}

static void scan_exponent(struct number *t, char mark) {
    const char *s = t->past;
    t->exponent = NULL;
    t->exponent_negative = 0;
    t->end = s;
    if (!is_letter(*s, mark)) {
        return;
    }
    s++;
    if (*s == '-') {
        t->exponent_negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (!is_digit(*s)) {
        return;
    }
    t->exponent = s;
    while (is_digit(*s)) {
        s++;
    }
    t->end = s;
}

static void scan(const char *s, struct number *t) {
    const char *start = s;
    t->kind = NOTHING;
    t->negative = 0;
    t->end = start;
    while (is_space(*s)) {
        s++;
    }
    if (*s == '-') {
        t->negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (is_letter(*s, 'i')) {
        if (starts_with(s, "inf")) {
            t->kind = INFINITE;
            t->end = starts_with(s + 3, "inity") ? s + 8 : s + 3;
        }
        return;
    }
    if (is_letter(*s, 'n')) {
        if (starts_with(s, "nan")) {
            t->kind = NOT_A_NUMBER;
            t->end = s + 3;
            if (s[3] == '(') {
                const char *q = s + 4;
                while (is_word(*q)) {
                    q++;
                }
                if (*q == ')') {
                    t->kind = q > s + 4 ? NAN_PAYLOAD : NOT_A_NUMBER;
                    t->end = q + 1;
                }
            }
        }
        return;
    }
    if (*s == '0') {
        if (is_letter(s[1], 'x')) {
            t->first = s + 2;
            scan_mantissa(t, 1);
            if (t->digits > 0) {
                t->kind = HEXADECIMAL;
                scan_exponent(t, 'p');
                return;
            }
        }
    }
    t->first = s;
    scan_mantissa(t, 0);
    if (t->digits > 0) {
        t->kind = DECIMAL;
        scan_exponent(t, 'e');
    }
}

static unsigned digit_value(char c) {
    if (is_digit(c)) {
        return (unsigned char)c - '0';
    }
    return (unsigned char)(c | 32) - 'a' + 10u;
}

// The mantissa as an integer if at most `most` digits are left without leading zeros.
static int mantissa(const struct number *t, size_t most, uint64_t *value, size_t *used) {
    unsigned base = t->kind == HEXADECIMAL ? 16 : 10;
    size_t left = t->digits;
    const char *s = t->first;
    for (; left > most; s++) {
        if (s == t->point) {
            continue;
        }
        if (*s != '0') {
            return 0;
        }
        left--;
    }
    uint64_t m = 0;
    *used = left;
    for (; s < t->past; s++) {
        if (s != t->point) {
            m = m * base + (base == 16 ? digit_value(*s) : (unsigned char)*s - (unsigned)'0');
        }
    }
    *value = m;
    return 1;
}

// The power of the base (10, or 2 for hexadecimal digits) behind the mantissa, if its size is at most `most`. The
// result is a plain number: the branches of the caller's loop fix it.
static int power(const struct number *t, long most, long *value) {
    long e = 0;
    if (t->exponent) {
        if (t->end - t->exponent > 9) {
            return 0;
        }
        for (const char *s = t->exponent; s < t->end; s++) {
            e = e * 10 + ((unsigned char)*s - '0');
        }
        if (t->exponent_negative) {
            e = -e;
        }
    }
    if (t->fraction > 1000000) {
        return 0;
    }
    e -= (long)t->fraction * (t->kind == HEXADECIMAL ? 4 : 1);
    if (e < -most) {
        return 0;
    }
    if (e > most) {
        return 0;
    }
    *value = e;
    return 1;
}

// 1 and *value: exact. 0: the real function has to say.
static int to_double(const struct number *t, double *value) {
    uint64_t m;
    size_t used;
    long e;
    if (t->kind == INFINITE) {
        *value = t->negative ? -HUGE_VAL : HUGE_VAL;
        return 1;
    }
    if (t->kind == NOT_A_NUMBER) {
        *value = t->negative ? -__builtin_nan("") : __builtin_nan("");
        return 1;
    }
    if (t->kind == NOTHING) {
        *value = 0;
        return 1;
    }
    if (t->kind == NAN_PAYLOAD) {
        return 0;
    }
    int hexadecimal = t->kind == HEXADECIMAL;
    if (!mantissa(t, hexadecimal ? 13 : 19, &m, &used) || !power(t, hexadecimal ? 64 : 22, &e)) {
        return 0;
    }
    if (!hexadecimal && used > 15) {
        if (m > (uint64_t)1 << 53) {
            return 0;
        }
    }
    double d = (double)(int64_t)m;
    if (t->negative) {
        d = -d;
    }
    double base = hexadecimal ? 2 : 10, p = 1;
    if (e < 0) {
        for (; e < 0; e++) {
            p *= base;
        }
        *value = d / p;
    } else if (e > 0) {
        for (; e > 0; e--) {
            p *= base;
        }
        *value = d * p;
    } else {
        *value = d;
    }
    return 1;
}

static int to_float(const struct number *t, float *value) {
    uint64_t m;
    size_t used;
    long e;
    if (t->kind == INFINITE) {
        *value = t->negative ? -HUGE_VALF : HUGE_VALF;
        return 1;
    }
    if (t->kind == NOT_A_NUMBER) {
        *value = t->negative ? -__builtin_nanf("") : __builtin_nanf("");
        return 1;
    }
    if (t->kind == NOTHING) {
        *value = 0;
        return 1;
    }
    if (t->kind == NAN_PAYLOAD) {
        return 0;
    }
    int hexadecimal = t->kind == HEXADECIMAL;
    if (!mantissa(t, hexadecimal ? 6 : 19, &m, &used) || !power(t, hexadecimal ? 64 : 10, &e)) {
        return 0;
    }
    if (!hexadecimal && used > 7) {
        if (m > (uint64_t)1 << 24) {
            return 0;
        }
    }
    float f = (float)(int32_t)m;
    if (t->negative) {
        f = -f;
    }
    float base = hexadecimal ? 2 : 10, p = 1;
    if (e < 0) {
        for (; e < 0; e++) {
            p *= base;
        }
        *value = f / p;
    } else if (e > 0) {
        for (; e > 0; e--) {
            p *= base;
        }
        *value = f * p;
    } else {
        *value = f;
    }
    return 1;
}

// Is everything concrete that a conversion of s can look at? Asks before each byte it looks at.
static int concrete(const char *s) {
    if (!VALUES(V(s))) {
        return 0;
    }
    int leading = 1;
    for (;; s++) {
        if (!__off_concrete(s, 1)) {
            return 0;
        }
        if (leading && is_space(*s)) {
            continue;
        }
        leading = 0;
        if (!is_word(*s) && *s != '+' && *s != '-' && *s != '.' && *s != '(') {
            return 1;
        }
    }
}

static int plain_point(const char *radix) {
    return codeset_equal(radix, ".");
}

static void set_end(char **end, const char *value) {
    if (end) {
        *end = (char *)value;
    }
}

// `call` is the real function with the address of `e` as its second argument.
#define CONVERT(type, name, to, radix, text, endptr, call)                                                             \
    do {                                                                                                               \
        char *e;                                                                                                       \
        struct number n;                                                                                               \
        type value;                                                                                                    \
        if (concrete(text)) {                                                                                          \
            value = call;                                                                                              \
            __off_clear(&e, sizeof e);                                                                                 \
            set_end(endptr, e);                                                                                        \
            return value;                                                                                              \
        }                                                                                                              \
        if (plain_point(radix)) {                                                                                      \
            scan(text, &n);                                                                                            \
            if (to(&n, &value)) {                                                                                      \
                set_end(endptr, n.end);                                                                                \
                return value;                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        __off_loss(name);                                                                                              \
        value = call;                                                                                                  \
        __off_clear(&e, sizeof e);                                                                                     \
        set_end(endptr, e);                                                                                            \
        return value;                                                                                                  \
    } while (0)

static double strtod_model(const char *s, char **end) {
    CONVERT(double, "strtod", to_double, raw_nl_langinfo(RADIXCHAR), s, end, raw_strtod(s, &e));
}

static float strtof_model(const char *s, char **end) {
    CONVERT(float, "strtof", to_float, raw_nl_langinfo(RADIXCHAR), s, end, raw_strtof(s, &e));
}

static double strtod_l_model(const char *s, char **end, locale_t l) {
    CONVERT(double, "strtod_l", to_double, raw_nl_langinfo_l(RADIXCHAR, l), s, end, raw_strtod_l(s, &e, l));
}

static float strtof_l_model(const char *s, char **end, locale_t l) {
    CONVERT(float, "strtof_l", to_float, raw_nl_langinfo_l(RADIXCHAR, l), s, end, raw_strtof_l(s, &e, l));
}

// No term for the x87 format: only the real function.
static int to_nothing(const struct number *t, long double *value) {
    *value = 0;
    return t->kind == NOTHING;
}

static long double strtold_model(const char *s, char **end) {
    CONVERT(long double, "strtold", to_nothing, raw_nl_langinfo(RADIXCHAR), s, end, raw_strtold(s, &e));
}

static long double strtold_l_model(const char *s, char **end, locale_t l) {
    CONVERT(long double, "strtold_l", to_nothing, raw_nl_langinfo_l(RADIXCHAR, l), s, end, raw_strtold_l(s, &e, l));
}

// For scanf.c, which wants these bodies also in a program that defines the functions itself.
double off_model_strtod(const char *s, char **end) {
    return strtod_model(s, end);
}

float off_model_strtof(const char *s, char **end) {
    return strtof_model(s, end);
}

long double off_model_strtold(const char *s, char **end) {
    return strtold_model(s, end);
}

MODEL(double, strtod)(const char *s, char **end) {
    return strtod_model(s, end);
}

MODEL(double, strtof64)(const char *s, char **end) {
    return strtod_model(s, end);
}

MODEL(double, strtof32x)(const char *s, char **end) {
    return strtod_model(s, end);
}

MODEL(double, atof)(const char *s) {
    return strtod_model(s, NULL);
}

MODEL(float, strtof)(const char *s, char **end) {
    return strtof_model(s, end);
}

MODEL(float, strtof32)(const char *s, char **end) {
    return strtof_model(s, end);
}

MODEL(long double, strtold)(const char *s, char **end) {
    return strtold_model(s, end);
}

MODEL(double, strtod_l)(const char *s, char **end, locale_t l) {
    return strtod_l_model(s, end, l);
}

MODEL(double, __strtod_l)(const char *s, char **end, locale_t l) {
    return strtod_l_model(s, end, l);
}

MODEL(float, strtof_l)(const char *s, char **end, locale_t l) {
    return strtof_l_model(s, end, l);
}

MODEL(float, __strtof_l)(const char *s, char **end, locale_t l) {
    return strtof_l_model(s, end, l);
}

MODEL(long double, strtold_l)(const char *s, char **end, locale_t l) {
    return strtold_l_model(s, end, l);
}

MODEL(long double, __strtold_l)(const char *s, char **end, locale_t l) {
    return strtold_l_model(s, end, l);
}

// Grouping changes nothing where the locale has no thousands separator.
static int no_grouping(int group) {
    return !group || !*raw_nl_langinfo(THOUSEP);
}

MODEL(double, __strtod_internal)(const char *s, char **end, int group) {
    if (no_grouping(group)) {
        return strtod_model(s, end);
    }
    CONVERT(double, "strtod", to_double, "", s, end, raw___strtod_internal(s, &e, group));
}

MODEL(float, __strtof_internal)(const char *s, char **end, int group) {
    if (no_grouping(group)) {
        return strtof_model(s, end);
    }
    CONVERT(float, "strtof", to_float, "", s, end, raw___strtof_internal(s, &e, group));
}

MODEL(long double, __strtold_internal)(const char *s, char **end, int group) {
    if (no_grouping(group)) {
        return strtold_model(s, end);
    }
    CONVERT(long double, "strtold", to_nothing, "", s, end, raw___strtold_internal(s, &e, group));
}
