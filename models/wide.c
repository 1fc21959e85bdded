// wchar.h and wctype.h: wide characters and strings. ASCII is modelled; of other characters the real function knows.
#include "codeset.h"
#include "locale_c.h"

#include <errno.h>
#include <inttypes.h>
#include <wchar.h>
#include <wctype.h>

// ---- classes

// The values are glibc's: a bit of its own for most classes.
#define CLASS(name, yes)                                                                                               \
    RAW(int, isw##name, (wint_t));                                                                                     \
    RAW(int, isw##name##_l, (wint_t, locale_t));                                                                       \
    static inline int class_##name(wint_t c) {                                                                         \
        if (c < 128) {                                                                                                 \
            if (c_ctype()) {                                                                                           \
                return (int)c_is##name((int)c) * yes;                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return raw_isw##name(c);                                                                                       \
    }                                                                                                                  \
    static inline int class_l_##name(wint_t c, locale_t l) {                                                           \
        if (c < 128) {                                                                                                 \
            if (c_ctype_l(l)) {                                                                                        \
                return (int)c_is##name((int)c) * yes;                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return raw_isw##name##_l(c, l);                                                                                \
    }                                                                                                                  \
    MODEL(int, isw##name)(wint_t c) {                                                                                  \
        return class_##name(c);                                                                                        \
    }                                                                                                                  \
    MODEL(int, isw##name##_l)(wint_t c, locale_t l) {                                                                  \
        return class_l_##name(c, l);                                                                                   \
    }                                                                                                                  \
    MODEL(int, __isw##name##_l)(wint_t c, locale_t l) {                                                                \
        return class_l_##name(c, l);                                                                                   \
    }

CLASS(alpha, 1024)
CLASS(digit, 1)
CLASS(alnum, 8)
CLASS(space, 8192)
CLASS(upper, 256)
CLASS(lower, 512)
CLASS(punct, 4)
CLASS(print, 16384)
CLASS(graph, 32768)
CLASS(cntrl, 2)
CLASS(xdigit, 4096)
CLASS(blank, 1)

RAW(int, iswctype, (wint_t, wctype_t));
RAW(int, iswctype_l, (wint_t, wctype_t, locale_t));
RAW(wctype_t, wctype, (const char *));
RAW(wctype_t, wctype_l, (const char *, locale_t));

// Is this ASCII character in the class that `type` names? -1: no class of ours.
static int in_class(wint_t c, wctype_t type, locale_t l) {
#define IS(name)                                                                                                       \
    if (type == (l ? raw_wctype_l(#name, l) : raw_wctype(#name))) {                                                    \
        return (int)c_is##name((int)c);                                                                                \
    }
    IS(alpha)
    IS(digit)
    IS(alnum)
    IS(space)
    IS(upper)
    IS(lower)
    IS(punct)
    IS(print)
    IS(graph)
    IS(cntrl)
    IS(xdigit)
    IS(blank)
#undef IS
    return -1;
}

static int iswctype_model(wint_t c, wctype_t type) {
    if (VALUES(c, type)) {
        return raw_iswctype(c, type);
    }
    if (type == 0) {
        return 0;
    }
    if (c < 128) {
        int r = c_ctype() ? in_class(c, type, NULL) : -1;
        if (r >= 0) {
            return r;
        }
    }
    return raw_iswctype(c, type);
}

static int iswctype_l_model(wint_t c, wctype_t type, locale_t l) {
    if (VALUES(c, type)) {
        return raw_iswctype_l(c, type, l);
    }
    if (type == 0) {
        return 0;
    }
    if (c < 128) {
        int r = c_ctype_l(l) ? in_class(c, type, l) : -1;
        if (r >= 0) {
            return r;
        }
    }
    return raw_iswctype_l(c, type, l);
}

MODEL(int, iswctype)(wint_t c, wctype_t type) {
    return iswctype_model(c, type);
}

MODEL(int, __iswctype)(wint_t c, wctype_t type) {
    return iswctype_model(c, type);
}

MODEL(int, iswctype_l)(wint_t c, wctype_t type, locale_t l) {
    return iswctype_l_model(c, type, l);
}

MODEL(int, __iswctype_l)(wint_t c, wctype_t type, locale_t l) {
    return iswctype_l_model(c, type, l);
}

// ---- case

RAW(wint_t, towupper, (wint_t));
RAW(wint_t, towlower, (wint_t));
RAW(wint_t, towupper_l, (wint_t, locale_t));
RAW(wint_t, towlower_l, (wint_t, locale_t));
RAW(wint_t, towctrans, (wint_t, wctrans_t));
RAW(wint_t, towctrans_l, (wint_t, wctrans_t, locale_t));
RAW(wctrans_t, wctrans, (const char *));
RAW(wctrans_t, wctrans_l, (const char *, locale_t));

static inline wint_t ascii_upper(wint_t c) {
    return c - 32 * c_islower((int)c);
}

static inline wint_t ascii_lower(wint_t c) {
    return c + 32 * c_isupper((int)c);
}

static inline wint_t upper(wint_t c) {
    if (c < 128) {
        if (c_ctype()) {
            return ascii_upper(c);
        }
    }
    return raw_towupper(c);
}

static inline wint_t lower(wint_t c) {
    if (c < 128) {
        if (c_ctype()) {
            return ascii_lower(c);
        }
    }
    return raw_towlower(c);
}

static inline wint_t upper_l(wint_t c, locale_t l) {
    if (c < 128) {
        if (c_ctype_l(l)) {
            return ascii_upper(c);
        }
    }
    return raw_towupper_l(c, l);
}

static inline wint_t lower_l(wint_t c, locale_t l) {
    if (c < 128) {
        if (c_ctype_l(l)) {
            return ascii_lower(c);
        }
    }
    return raw_towlower_l(c, l);
}

static wint_t towctrans_model(wint_t c, wctrans_t map) {
    if (c < 128) {
        if (c_ctype()) {
            if (map == raw_wctrans("toupper")) {
                return ascii_upper(c);
            }
            if (map == raw_wctrans("tolower")) {
                return ascii_lower(c);
            }
        }
    }
    return raw_towctrans(c, map);
}

static wint_t towctrans_l_model(wint_t c, wctrans_t map, locale_t l) {
    if (c < 128) {
        if (c_ctype_l(l)) {
            if (map == raw_wctrans_l("toupper", l)) {
                return ascii_upper(c);
            }
            if (map == raw_wctrans_l("tolower", l)) {
                return ascii_lower(c);
            }
        }
    }
    return raw_towctrans_l(c, map, l);
}

MODEL(wint_t, towupper)(wint_t c) {
    return upper(c);
}

MODEL(wint_t, towlower)(wint_t c) {
    return lower(c);
}

MODEL(wint_t, towupper_l)(wint_t c, locale_t l) {
    return upper_l(c, l);
}

MODEL(wint_t, __towupper_l)(wint_t c, locale_t l) {
    return upper_l(c, l);
}

MODEL(wint_t, towlower_l)(wint_t c, locale_t l) {
    return lower_l(c, l);
}

MODEL(wint_t, __towlower_l)(wint_t c, locale_t l) {
    return lower_l(c, l);
}

MODEL(wint_t, towctrans)(wint_t c, wctrans_t map) {
    return towctrans_model(c, map);
}

MODEL(wint_t, __towctrans)(wint_t c, wctrans_t map) {
    return towctrans_model(c, map);
}

MODEL(wint_t, towctrans_l)(wint_t c, wctrans_t map, locale_t l) {
    return towctrans_l_model(c, map, l);
}

MODEL(wint_t, __towctrans_l)(wint_t c, wctrans_t map, locale_t l) {
    return towctrans_l_model(c, map, l);
}

// ---- width

RAW(int, wcwidth, (wchar_t));

static int width(wchar_t c) {
    if ((uint32_t)c < 128) {
        if (c == 0) {
            return 0;
        }
        return c_isprint(c) ? 1 : -1;
    }
    return raw_wcwidth(c);
}

MODEL(int, wcwidth)(wchar_t c) {
    return width(c);
}

MODEL(int, wcswidth)(const wchar_t *s, size_t n) {
    int sum = 0;
    for (size_t i = 0; i < n && s[i]; i++) {
        int w = width(s[i]);
        if (w < 0) {
            return -1;
        }
        sum += w;
    }
    return sum;
}

// ---- strings

static size_t length(const wchar_t *s) {
    size_t n = 0;
    while (s[n]) {
        n++;
    }
    return n;
}

MODEL(size_t, wcslen)(const wchar_t *s) {
    return length(s);
}

MODEL(size_t, wcsnlen)(const wchar_t *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n]) {
        n++;
    }
    return n;
}

static int compare(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
        if (!a[i]) {
            return 0;
        }
    }
    return 0;
}

MODEL(int, wcscmp)(const wchar_t *a, const wchar_t *b) {
    return compare(a, b, SIZE_MAX);
}

MODEL(int, wcsncmp)(const wchar_t *a, const wchar_t *b, size_t n) {
    return compare(a, b, n);
}

RAW(int, wcscoll, (const wchar_t *, const wchar_t *));

MODEL(int, wcscoll)(const wchar_t *a, const wchar_t *b) {
    if (!codeset_plain_collation()) {
        __off_loss("wcscoll");
        return raw_wcscoll(a, b);
    }
    return compare(a, b, SIZE_MAX);
}

static int compare_folded(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        wint_t x = lower((wint_t)a[i]), y = lower((wint_t)b[i]);
        if (x != y) {
            return (int)(x - y);
        }
        if (!x) {
            return 0;
        }
    }
    return 0;
}

MODEL(int, wcscasecmp)(const wchar_t *a, const wchar_t *b) {
    return compare_folded(a, b, SIZE_MAX);
}

MODEL(int, wcsncasecmp)(const wchar_t *a, const wchar_t *b, size_t n) {
    return compare_folded(a, b, n);
}

static wchar_t *find_or_end(const wchar_t *s, wchar_t c) {
    while (*s != c && *s) {
        s++;
    }
    return (wchar_t *)s;
}

MODEL(wchar_t *, wcschr)(const wchar_t *s, wchar_t c) {
    wchar_t *p = find_or_end(s, c);
    return *p == c ? p : NULL;
}

MODEL(wchar_t *, wcschrnul)(const wchar_t *s, wchar_t c) {
    return find_or_end(s, c);
}

MODEL(wchar_t *, wcsrchr)(const wchar_t *s, wchar_t c) {
    const wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c) {
            found = s;
        }
        if (!*s) {
            return (wchar_t *)found;
        }
    }
}

// Copies the string with its end; gives the end of the copy.
static wchar_t *copy(wchar_t *to, const wchar_t *s) {
    for (;; to++, s++) {
        *to = *s;
        if (!*s) {
            return to;
        }
    }
}

// Fills n places, with zeros behind the string's end; gives the first zero, or to + n.
static wchar_t *copy_padded(wchar_t *to, const wchar_t *s, size_t n) {
    size_t i = 0, k;
    while (i < n && s[i]) {
        to[i] = s[i];
        i++;
    }
    for (k = i; k < n; k++) {
        to[k] = 0;
    }
    return to + i;
}

MODEL(wchar_t *, wcscpy)(wchar_t *to, const wchar_t *s) {
    copy(to, s);
    return to;
}

MODEL(wchar_t *, wcpcpy)(wchar_t *to, const wchar_t *s) {
    return copy(to, s);
}

MODEL(wchar_t *, wcsncpy)(wchar_t *to, const wchar_t *s, size_t n) {
    copy_padded(to, s, n);
    return to;
}

MODEL(wchar_t *, wcpncpy)(wchar_t *to, const wchar_t *s, size_t n) {
    return copy_padded(to, s, n);
}

MODEL(wchar_t *, wcscat)(wchar_t *to, const wchar_t *s) {
    copy(to + length(to), s);
    return to;
}

MODEL(wchar_t *, wcsncat)(wchar_t *to, const wchar_t *s, size_t n) {
    wchar_t *end = to + length(to);
    size_t i = 0;
    while (i < n && s[i]) {
        end[i] = s[i];
        i++;
    }
    end[i] = 0;
    return to;
}

MODEL(wchar_t *, wcsdup)(const wchar_t *s) {
    size_t n = (length(s) + 1) * sizeof *s;
    wchar_t *p = OFF(malloc)(n);
    if (p) {
        model_copy(p, s, n);
    }
    return p;
}

static int member(const wchar_t *set, wchar_t c) {
    for (; *set; set++) {
        if (*set == c) {
            return 1;
        }
    }
    return 0;
}

// How many characters from the start are in the set (or, outside, are not)?
static size_t span(const wchar_t *s, const wchar_t *set, int outside) {
    size_t n = 0;
    while (s[n] && member(set, s[n]) != outside) {
        n++;
    }
    return n;
}

MODEL(size_t, wcsspn)(const wchar_t *s, const wchar_t *set) {
    return span(s, set, 0);
}

MODEL(size_t, wcscspn)(const wchar_t *s, const wchar_t *set) {
    return span(s, set, 1);
}

MODEL(wchar_t *, wcspbrk)(const wchar_t *s, const wchar_t *set) {
    s += span(s, set, 1);
    return *s ? (wchar_t *)s : NULL;
}

static wchar_t *find_string(const wchar_t *s, const wchar_t *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i]) {
            i++;
        }
        if (!part[i]) {
            return (wchar_t *)s;
        }
        if (!s[i]) {
            return NULL;
        }
    }
}

MODEL(wchar_t *, wcsstr)(const wchar_t *s, const wchar_t *part) {
    return find_string(s, part);
}

MODEL(wchar_t *, wcswcs)(const wchar_t *s, const wchar_t *part) {
    return find_string(s, part);
}

MODEL(wchar_t *, wcstok)(wchar_t *s, const wchar_t *set, wchar_t **rest) {
    if (!s) {
        s = *rest;
        if (!s) {
            return NULL;
        }
    }
    s += span(s, set, 0);
    if (!*s) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + span(s, set, 1);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return s;
}

// ---- arrays

MODEL(wchar_t *, wmemchr)(const wchar_t *s, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (s[i] == c) {
            return (wchar_t *)s + i;
        }
    }
    return NULL;
}

MODEL(int, wmemcmp)(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

MODEL(wchar_t *, wmemcpy)(wchar_t *to, const wchar_t *s, size_t n) {
    model_copy(to, s, n * sizeof *s);
    return to;
}

MODEL(wchar_t *, wmempcpy)(wchar_t *to, const wchar_t *s, size_t n) {
    model_copy(to, s, n * sizeof *s);
    return to + n;
}

MODEL(wchar_t *, wmemmove)(wchar_t *to, const wchar_t *s, size_t n) {
    if (VALUES(V(to), V(s), n)) {
        __off_copy(to, s, n * sizeof *s);
    } else if ((uintptr_t)to < (uintptr_t)s) {
        for (size_t i = 0; i < n; i++) {
            to[i] = s[i];
        }
    } else {
        for (size_t i = n; i > 0; i--) {
            to[i - 1] = s[i - 1];
        }
    }
    return to;
}

MODEL(wchar_t *, wmemset)(wchar_t *to, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++) {
        to[i] = c;
    }
    return to;
}

// ---- numbers

// The value of a digit, or 36.
static unsigned digit(wchar_t c) {
    if ((uint32_t)(c - '0') < 10) {
        return (unsigned)(c - '0');
    }
    if ((uint32_t)((c | 32) - 'a') < 26) {
        return (unsigned)((c | 32) - 'a' + 10);
    }
    return 36;
}

// A number of at most `most`, or, if negative, of a magnitude of at most `least`. errno says whether it fits.
static uint64_t number(const wchar_t *s, wchar_t **end, int base, uint64_t most, uint64_t least, int *negative) {
    const wchar_t *start = s;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    while (class_space((wint_t)*s)) {
        s++;
    }
    if (*s == '-') {
        *negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    const wchar_t *prefix = NULL;
    if ((base == 0 || base == 16) && *s == '0') {
        if ((s[1] | 32) == 'x') {
            prefix = s + 1;
            s += 2;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) {
        base = 10;
    }
    uint64_t limit = *negative ? least : most, value = 0, largest = 0;
    unsigned b = (unsigned)base;
    int fits = 1;
    const wchar_t *first = s;
    for (;; s++) {
        unsigned d = digit(*s);
        if (d >= b) {
            break;
        }
        // As long as the largest number of as many digits is in range, there is nothing to ask.
        if (largest <= (limit - (b - 1)) / b) {
            largest = largest * b + (b - 1);
        } else {
            largest = limit;
            if (fits) {
                if (value > limit / b) {
                    fits = 0;
                } else if (value == limit / b && d > limit % b) {
                    fits = 0;
                }
            }
        }
        if (fits) {
            value = value * b + d;
        }
    }
    if (end) {
        *end = (wchar_t *)(s != first ? s : prefix ? prefix : start);
    }
    if (!fits) {
        errno = ERANGE;
        return limit;
    }
    return value;
}

static int64_t to_signed(const wchar_t *s, wchar_t **end, int base) {
    int negative;
    uint64_t v = number(s, end, base, INT64_MAX, (uint64_t)INT64_MAX + 1, &negative);
    return (int64_t)(negative ? -v : v);
}

static uint64_t to_unsigned(const wchar_t *s, wchar_t **end, int base) {
    int negative, before = errno;
    errno = 0;
    uint64_t v = number(s, end, base, UINT64_MAX, UINT64_MAX, &negative);
    // What does not fit is the largest number, with either sign.
    int over = errno == ERANGE;
    if (errno == 0) {
        errno = before;
    }
    return negative && !over ? -v : v;
}

#define NUMBER(type, name, model)                                                                                      \
    MODEL(type, name)(const wchar_t *s, wchar_t **end, int base) {                                                     \
        return (type)model(s, end, base);                                                                              \
    }

NUMBER(long, wcstol, to_signed)
NUMBER(long long, wcstoll, to_signed)
NUMBER(long long, wcstoq, to_signed)
NUMBER(intmax_t, wcstoimax, to_signed)
NUMBER(unsigned long, wcstoul, to_unsigned)
NUMBER(unsigned long long, wcstoull, to_unsigned)
NUMBER(unsigned long long, wcstouq, to_unsigned)
NUMBER(uintmax_t, wcstoumax, to_unsigned)
#if __GLIBC_PREREQ(2, 38)
// The C23 names also take 0b; that prefix is not modelled, its digits are: only the real function is exact.
RAW(long, __isoc23_wcstol, (const wchar_t *, wchar_t **, int));
RAW(unsigned long, __isoc23_wcstoul, (const wchar_t *, wchar_t **, int));
#define NUMBER_C23(type, name, real)                                                                                   \
    MODEL(type, __isoc23_##name)(const wchar_t *s, wchar_t **end, int base) {                                          \
        wchar_t *e;                                                                                                    \
        __off_loss(#name);                                                                                             \
        type v = (type)raw___isoc23_##real(s, &e, base);                                                               \
        __off_clear(&e, sizeof e);                                                                                     \
        if (end && base >= 0 && base != 1 && base <= 36) {                                                             \
            *end = e;                                                                                                  \
        }                                                                                                              \
        return v;                                                                                                      \
    }
NUMBER_C23(long, wcstol, wcstol)
NUMBER_C23(long long, wcstoll, wcstol)
NUMBER_C23(unsigned long, wcstoul, wcstoul)
NUMBER_C23(unsigned long long, wcstoull, wcstoul)
#endif
