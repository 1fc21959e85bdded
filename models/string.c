// string.h and strings.h: comparison, search, copies, tokens.
#include "locale_c.h"

#include <sys/types.h>

RAW(size_t, strlen, (const char *));
RAW(size_t, strnlen, (const char *, size_t));
RAW(int, strcmp, (const char *, const char *));
RAW(int, strncmp, (const char *, const char *, size_t));
RAW(int, strncasecmp, (const char *, const char *, size_t));
RAW(int, strcasecmp_l, (const char *, const char *, locale_t));
RAW(int, strncasecmp_l, (const char *, const char *, size_t, locale_t));
RAW(int, strcoll, (const char *, const char *));
RAW(int, strcoll_l, (const char *, const char *, locale_t));
RAW(size_t, strxfrm, (char *, const char *, size_t));
RAW(size_t, strxfrm_l, (char *, const char *, size_t, locale_t));
RAW(char *, strchr, (const char *, int));
RAW(char *, strrchr, (const char *, int));
RAW(char *, strchrnul, (const char *, int));
RAW(void *, rawmemchr, (const void *, int));
RAW(void *, memchr, (const void *, int, size_t));
RAW(void *, memrchr, (const void *, int, size_t));
RAW(void *, memmem, (const void *, size_t, const void *, size_t));
RAW(char *, strstr, (const char *, const char *));
RAW(char *, strcasestr, (const char *, const char *));
RAW(size_t, strspn, (const char *, const char *));
RAW(size_t, strcspn, (const char *, const char *));
RAW(int, strcasecmp, (const char *, const char *));
RAW(int, memcmp, (const void *, const void *, size_t));
RAW(void, __chk_fail, (void)) __attribute__((noreturn));

typedef unsigned char byte;

// The result of a search: the library's functions take const and give back what the caller may write to.
static inline void *found(const void *p) {
    return (void *)(uintptr_t)p;
}

// ---- lengths

static inline size_t length(const char *s) {
    if (VALUES(V(s))) {
        size_t n = raw_strlen(s);
        if (__off_concrete(s, n + 1)) {
            return n;
        }
    }
    size_t n = 0;
    while (s[n] != 0) {
        n++;
    }
    return n;
}

static inline size_t length_within(const char *s, size_t max) {
    if (VALUES(V(s), max)) {
        size_t n = raw_strnlen(s, max);
        if (__off_concrete(s, n < max ? n + 1 : n)) {
            return n;
        }
    }
    size_t n = 0;
    while (n < max) {
        if (s[n] == 0) {
            break;
        }
        n++;
    }
    return n;
}

MODEL(size_t, strlen)(const char *s) {
    return length(s);
}

MODEL(size_t, strnlen)(const char *s, size_t max) {
    return length_within(s, max);
}

// ---- comparison

// Are all bytes concrete that a comparison of at most `max` bytes looks at? Where the strings differ is found in
// growing steps, each of which reads no further than the library's own comparison.
static inline int concrete_until_differ(const char *a, const char *b, size_t max, int fold) {
    for (size_t n = 16;; n *= 4) {
        if (n >= max || n > SIZE_MAX / 4) {
            n = max;
        }
        int differ = fold ? raw_strncasecmp(a, b, n) : raw_strncmp(a, b, n);
        size_t end = n;
        if (!differ) {
            end = raw_strnlen(a, n);
        }
        if (differ || end < n || n == max) {
            n = end < n ? end + 1 : n;
            return __off_concrete(a, n) && __off_concrete(b, n);
        }
    }
}

static inline int compare(const char *a, const char *b) {
    if (VALUES(V(a), V(b)) && concrete_until_differ(a, b, SIZE_MAX, 0)) {
        return raw_strcmp(a, b);
    }
    for (size_t i = 0;; i++) {
        byte x = (byte)a[i], y = (byte)b[i];
        if (x != y) {
            return x - y;
        }
        if (x == 0) {
            return 0;
        }
    }
}

static inline int compare_within(const char *a, const char *b, size_t max) {
    if (VALUES(V(a), V(b), max) && concrete_until_differ(a, b, max, 0)) {
        return raw_strncmp(a, b, max);
    }
    for (size_t i = 0; i < max; i++) {
        byte x = (byte)a[i], y = (byte)b[i];
        if (x != y) {
            return x - y;
        }
        if (x == 0) {
            return 0;
        }
    }
    return 0;
}

static inline int compare_folded(const char *a, const char *b, size_t max) {
    for (size_t i = 0; i < max; i++) {
        byte x = (byte)a[i], y = (byte)b[i];
        if (c_fold(x) != c_fold(y)) {
            return c_fold(x) - c_fold(y);
        }
        if (x == 0) {
            return 0;
        }
    }
    return 0;
}

static inline int compare_fold(const char *a, const char *b) {
    if (VALUES(V(a), V(b)) && concrete_until_differ(a, b, SIZE_MAX, 1)) {
        return raw_strcasecmp(a, b);
    }
    if (!c_ctype()) {
        __off_loss("strcasecmp");
        return raw_strcasecmp(a, b);
    }
    return compare_folded(a, b, SIZE_MAX);
}

MODEL(int, strcmp)(const char *a, const char *b) {
    return compare(a, b);
}

MODEL(int, strncmp)(const char *a, const char *b, size_t max) {
    return compare_within(a, b, max);
}

MODEL(int, strcasecmp)(const char *a, const char *b) {
    return compare_fold(a, b);
}

MODEL(int, __strcasecmp)(const char *a, const char *b) {
    return compare_fold(a, b);
}

MODEL(int, strncasecmp)(const char *a, const char *b, size_t max) {
    if (VALUES(V(a), V(b), max) && concrete_until_differ(a, b, max, 1)) {
        return raw_strncasecmp(a, b, max);
    }
    if (!c_ctype()) {
        __off_loss("strncasecmp");
        return raw_strncasecmp(a, b, max);
    }
    return compare_folded(a, b, max);
}

static inline int compare_fold_l(const char *a, const char *b, locale_t l) {
    if (!c_ctype_l(l)) {
        __off_loss("strcasecmp_l");
        return raw_strcasecmp_l(a, b, l);
    }
    return compare_folded(a, b, SIZE_MAX);
}

static inline int compare_fold_within_l(const char *a, const char *b, size_t max, locale_t l) {
    if (!c_ctype_l(l)) {
        __off_loss("strncasecmp_l");
        return raw_strncasecmp_l(a, b, max, l);
    }
    return compare_folded(a, b, max);
}

MODEL(int, strcasecmp_l)(const char *a, const char *b, locale_t l) {
    return compare_fold_l(a, b, l);
}

MODEL(int, __strcasecmp_l)(const char *a, const char *b, locale_t l) {
    return compare_fold_l(a, b, l);
}

MODEL(int, strncasecmp_l)(const char *a, const char *b, size_t max, locale_t l) {
    return compare_fold_within_l(a, b, max, l);
}

MODEL(int, __strncasecmp_l)(const char *a, const char *b, size_t max, locale_t l) {
    return compare_fold_within_l(a, b, max, l);
}

MODEL(int, strcoll)(const char *a, const char *b) {
    if (!c_category(LC_COLLATE)) {
        __off_loss("strcoll");
        return raw_strcoll(a, b);
    }
    return compare(a, b);
}

static inline int collate_l(const char *a, const char *b, locale_t l) {
    if (!c_category_l(LC_COLLATE, l)) {
        __off_loss("strcoll_l");
        return raw_strcoll_l(a, b, l);
    }
    return compare(a, b);
}

MODEL(int, strcoll_l)(const char *a, const char *b, locale_t l) {
    return collate_l(a, b, l);
}

MODEL(int, __strcoll_l)(const char *a, const char *b, locale_t l) {
    return collate_l(a, b, l);
}

MODEL(int, memcmp)(const void *a, const void *b, size_t n) {
    if (VALUES(V(a), V(b), n) && __off_concrete(a, n) && __off_concrete(b, n)) {
        return raw_memcmp(a, b, n);
    }
    for (size_t i = 0; i < n; i++) {
        byte x = ((const byte *)a)[i], y = ((const byte *)b)[i];
        if (x != y) {
            return x - y;
        }
    }
    return 0;
}

static inline int unequal(const void *a, const void *b, size_t n) {
    if (VALUES(V(a), V(b), n) && __off_concrete(a, n) && __off_concrete(b, n)) {
        return raw_memcmp(a, b, n);
    }
    for (size_t i = 0; i < n; i++) {
        if (((const byte *)a)[i] != ((const byte *)b)[i]) {
            return 1;
        }
    }
    return 0;
}

MODEL(int, bcmp)(const void *a, const void *b, size_t n) {
    return unequal(a, b, n);
}

MODEL(int, __memcmpeq)(const void *a, const void *b, size_t n) {
    return unequal(a, b, n);
}

// Versions: where the strings differ inside a run of digits, numbers are compared; a run that starts with zeros is a
// fraction, in which more zeros come first.
static inline int compare_versions(const char *s, const char *t) {
    const byte *a = (const byte *)s, *b = (const byte *)t;
    size_t i = 0;
    while (a[i] == b[i]) {
        if (a[i] == 0) {
            return 0;
        }
        i++;
    }
    int difference = a[i] - b[i];
    int digit_a = c_isdigit(a[i]) != 0, digit_b = c_isdigit(b[i]) != 0;
    size_t run = i;
    while (run > 0 && c_isdigit(a[run - 1])) {
        run--;
    }
    if (run == i) {
        // A new run: a number only if both sides have one that does not start with zero.
        if (!(digit_a && digit_b) || a[i] == '0' || b[i] == '0') {
            return difference;
        }
    } else if (a[run] == '0') {
        // A fraction. As long as there are zeros only, to go on with a digit is to be smaller.
        for (size_t k = run; k < i; k++) {
            if (a[k] != '0') {
                return difference;
            }
        }
        return digit_a == digit_b ? difference : digit_b - digit_a;
    } else if (!digit_a && !digit_b) {
        return difference;
    }
    // Numbers: the longer is the greater.
    for (size_t k = i;; k++) {
        if (!c_isdigit(a[k])) {
            return c_isdigit(b[k]) ? -1 : difference;
        }
        if (!c_isdigit(b[k])) {
            return 1;
        }
    }
}

MODEL(int, strverscmp)(const char *a, const char *b) {
    return compare_versions(a, b);
}

MODEL(int, __strverscmp)(const char *a, const char *b) {
    return compare_versions(a, b);
}

// ---- search for a byte

static inline char *find(const char *s, int c) {
    if (VALUES(V(s), V(c))) {
        const char *p = raw_strchr(s, c);
        if (__off_concrete(s, p ? (size_t)(p - s) + 1 : raw_strlen(s) + 1)) {
            return found(p);
        }
    }
    for (;; s++) {
        if (*s == (char)c) {
            return found(s);
        }
        if (*s == 0) {
            return 0;
        }
    }
}

static inline char *find_last(const char *s, int c) {
    if (VALUES(V(s), V(c)) && __off_concrete(s, raw_strlen(s) + 1)) {
        return raw_strrchr(s, c);
    }
    const char *last = 0;
    for (;; s++) {
        if (*s == (char)c) {
            last = s;
        }
        if (*s == 0) {
            return found(last);
        }
    }
}

static inline void *find_raw(const void *s, int c) {
    if (VALUES(V(s), V(c))) {
        const char *p = raw_rawmemchr(s, c);
        if (__off_concrete(s, (size_t)(p - (const char *)s) + 1)) {
            return found(p);
        }
    }
    const byte *p = s;
    while (*p != (byte)c) {
        p++;
    }
    return found(p);
}

static inline void *find_within(const void *s, int c, size_t n) {
    if (VALUES(V(s), V(c), n)) {
        const char *p = raw_memchr(s, c, n);
        if (__off_concrete(s, p ? (size_t)(p - (const char *)s) + 1 : n)) {
            return found(p);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (((const byte *)s)[i] == (byte)c) {
            return found((const byte *)s + i);
        }
    }
    return 0;
}

MODEL(char *, strchr)(const char *s, int c) {
    return find(s, c);
}

MODEL(char *, index)(const char *s, int c) {
    return find(s, c);
}

MODEL(char *, strrchr)(const char *s, int c) {
    return find_last(s, c);
}

MODEL(char *, rindex)(const char *s, int c) {
    return find_last(s, c);
}

MODEL(char *, strchrnul)(const char *s, int c) {
    if (VALUES(V(s), V(c))) {
        char *p = raw_strchrnul(s, c);
        if (__off_concrete(s, (size_t)(p - s) + 1)) {
            return p;
        }
    }
    for (;; s++) {
        if (*s == (char)c) {
            return found(s);
        }
        if (*s == 0) {
            return found(s);
        }
    }
}

MODEL(void *, rawmemchr)(const void *s, int c) {
    return find_raw(s, c);
}

MODEL(void *, __rawmemchr)(const void *s, int c) {
    return find_raw(s, c);
}

MODEL(void *, memchr)(const void *s, int c, size_t n) {
    return find_within(s, c, n);
}

MODEL(void *, memrchr)(const void *s, int c, size_t n) {
    if (VALUES(V(s), V(c), n)) {
        const char *p = raw_memrchr(s, c, n), *end = (const char *)s + n;
        if (p ? __off_concrete(p, (size_t)(end - p)) : __off_concrete(s, n)) {
            return found(p);
        }
    }
    for (size_t i = n; i > 0; i--) {
        if (((const byte *)s)[i - 1] == (byte)c) {
            return found((const byte *)s + i - 1);
        }
    }
    return 0;
}

// ---- search for a string

MODEL(void *, memmem)(const void *haystack, size_t n, const void *needle, size_t m) {
    const byte *h = haystack, *w = needle;
    if (VALUES(V(h), n, V(w), m) && __off_concrete(w, m)) {
        const byte *p = raw_memmem(h, n, w, m);
        if (__off_concrete(h, p ? (size_t)(p - h) + m : n)) {
            return found(p);
        }
    }
    if (m > n) {
        return 0;
    }
    for (size_t i = 0; i <= n - m; i++) {
        size_t k = 0;
        while (k < m) {
            if (h[i + k] != w[k]) {
                break;
            }
            k++;
        }
        if (k == m) {
            return found(h + i);
        }
    }
    return 0;
}

MODEL(char *, strstr)(const char *h, const char *w) {
    size_t m = length(w);
    if (VALUES(V(h), V(w)) && __off_concrete(w, m)) {
        const char *p = raw_strstr(h, w);
        if (__off_concrete(h, p ? (size_t)(p - h) + m : raw_strlen(h) + 1)) {
            return found(p);
        }
    }
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (k < m) {
            if (h[i + k] != w[k]) {
                break;
            }
            k++;
        }
        if (k == m) {
            return found(h + i);
        }
        if (h[i + k] == 0) {
            return 0;
        }
    }
}

static inline char *find_folded(const char *h, const char *w) {
    size_t m = length(w);
    if (VALUES(V(h), V(w)) && __off_concrete(w, m)) {
        const char *p = raw_strcasestr(h, w);
        if (__off_concrete(h, p ? (size_t)(p - h) + m : raw_strlen(h) + 1)) {
            return found(p);
        }
    }
    if (!c_ctype()) {
        __off_loss("strcasestr");
        return raw_strcasestr(h, w);
    }
    for (size_t i = 0;; i++) {
        size_t k = 0;
        while (k < m) {
            if (c_fold((byte)h[i + k]) != c_fold((byte)w[k])) {
                break;
            }
            k++;
        }
        if (k == m) {
            return found(h + i);
        }
        if (h[i + k] == 0) {
            return 0;
        }
    }
}

MODEL(char *, strcasestr)(const char *h, const char *w) {
    return find_folded(h, w);
}

MODEL(char *, __strcasestr)(const char *h, const char *w) {
    return find_folded(h, w);
}

// ---- sets of bytes, tokens

// Is c one of these bytes? One data term, so that a byte of the string costs one constraint.
static inline unsigned member(char c, const char *set, size_t n) {
    unsigned any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= (unsigned)(set[i] == c);
    }
    return any;
}

static inline size_t span(const char *s, const char *accept) {
    size_t n = length(accept);
    if (VALUES(V(s), V(accept)) && __off_concrete(accept, n)) {
        size_t i = raw_strspn(s, accept);
        if (__off_concrete(s, i + 1)) {
            return i;
        }
    }
    size_t i = 0;
    while (member(s[i], accept, n)) {
        i++;
    }
    return i;
}

static inline size_t span_not(const char *s, const char *reject) {
    size_t n = length(reject);
    if (VALUES(V(s), V(reject)) && __off_concrete(reject, n)) {
        size_t i = raw_strcspn(s, reject);
        if (__off_concrete(s, i + 1)) {
            return i;
        }
    }
    size_t i = 0;
    while (s[i] != 0) {
        if (member(s[i], reject, n)) {
            break;
        }
        i++;
    }
    return i;
}

MODEL(size_t, strspn)(const char *s, const char *accept) {
    return span(s, accept);
}

MODEL(size_t, strcspn)(const char *s, const char *reject) {
    return span_not(s, reject);
}

MODEL(char *, strpbrk)(const char *s, const char *accept) {
    s += span_not(s, accept);
    return *s ? found(s) : 0;
}

static inline char *token(char *s, const char *delimiters, char **rest) {
    if (!s) {
        s = *rest;
    }
    // No look at the delimiters if nothing is left.
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    s += span(s, delimiters);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + span_not(s, delimiters);
    if (*end == 0) {
        *rest = end;
        return s;
    }
    *end = 0;
    *rest = end + 1;
    return s;
}

MODEL(char *, strtok)(char *s, const char *delimiters) {
    static char *rest;
    return token(s, delimiters, &rest);
}

MODEL(char *, strtok_r)(char *s, const char *delimiters, char **rest) {
    return token(s, delimiters, rest);
}

MODEL(char *, __strtok_r)(char *s, const char *delimiters, char **rest) {
    return token(s, delimiters, rest);
}

static inline char *separate(char **rest, const char *delimiters) {
    char *s = *rest;
    if (!s) {
        return 0;
    }
    char *end = s + span_not(s, delimiters);
    if (*end == 0) {
        *rest = 0;
    } else {
        *end = 0;
        *rest = end + 1;
    }
    return s;
}

MODEL(char *, strsep)(char **rest, const char *delimiters) {
    return separate(rest, delimiters);
}

MODEL(char *, __strsep_g)(char **rest, const char *delimiters) {
    return separate(rest, delimiters);
}

// ---- copies

static inline void zero(char *dst, size_t n) {
    if (VALUES(V(dst), n)) {
        __off_set(dst, 0, n);
    } else {
        for (size_t i = 0; i < n; i++) {
            dst[i] = 0;
        }
    }
}

// Copies n bytes of a string and terminates it; gives the address of the terminator.
static inline char *copy_string(char *dst, const char *src, size_t n) {
    model_copy(dst, src, n);
    dst[n] = 0;
    return dst + n;
}

// strncpy; gives the address of the first terminator, or of the end.
static inline char *copy_padded(char *dst, const char *src, size_t n) {
    size_t k = length_within(src, n);
    model_copy(dst, src, k);
    zero(dst + k, n - k);
    return dst + k;
}

static inline char *duplicate(const char *s, size_t n) {
    char *p = OFF(malloc)(n + 1);
    if (p) {
        copy_string(p, s, n);
    }
    return p;
}

MODEL(char *, strcpy)(char *dst, const char *src) {
    copy_string(dst, src, length(src));
    return dst;
}

MODEL(char *, stpcpy)(char *dst, const char *src) {
    return copy_string(dst, src, length(src));
}

MODEL(char *, __stpcpy)(char *dst, const char *src) {
    return copy_string(dst, src, length(src));
}

MODEL(char *, strncpy)(char *dst, const char *src, size_t n) {
    copy_padded(dst, src, n);
    return dst;
}

MODEL(char *, stpncpy)(char *dst, const char *src, size_t n) {
    return copy_padded(dst, src, n);
}

MODEL(char *, __stpncpy)(char *dst, const char *src, size_t n) {
    return copy_padded(dst, src, n);
}

MODEL(char *, strcat)(char *dst, const char *src) {
    copy_string(dst + length(dst), src, length(src));
    return dst;
}

MODEL(char *, strncat)(char *dst, const char *src, size_t n) {
    copy_string(dst + length(dst), src, length_within(src, n));
    return dst;
}

MODEL(char *, strdup)(const char *s) {
    return duplicate(s, length(s));
}

MODEL(char *, __strdup)(const char *s) {
    return duplicate(s, length(s));
}

MODEL(char *, strndup)(const char *s, size_t n) {
    return duplicate(s, length_within(s, n));
}

MODEL(char *, __strndup)(const char *s, size_t n) {
    return duplicate(s, length_within(s, n));
}

MODEL(void *, memccpy)(void *dst, const void *src, int c, size_t n) {
    const char *p = find_within(src, c, n);
    if (p) {
        n = (size_t)(p - (const char *)src) + 1;
    }
    model_copy(dst, src, n);
    return p ? (char *)dst + n : 0;
}

// In the C locale the transformed string is the string itself.
static inline size_t transform(char *dst, const char *src, size_t n) {
    size_t k = length(src);
    if (n > k) {
        copy_string(dst, src, k);
    } else if (n > 0) {
        model_copy(dst, src, n);
    }
    return k;
}

static inline size_t transformed_elsewhere(char *dst, size_t n, size_t k) {
    __off_clear(dst, k < n ? k + 1 : n);
    return k;
}

MODEL(size_t, strxfrm)(char *dst, const char *src, size_t n) {
    if (!c_category(LC_COLLATE)) {
        __off_loss("strxfrm");
        return transformed_elsewhere(dst, n, raw_strxfrm(dst, src, n));
    }
    return transform(dst, src, n);
}

static inline size_t transform_l(char *dst, const char *src, size_t n, locale_t l) {
    if (!c_category_l(LC_COLLATE, l)) {
        __off_loss("strxfrm_l");
        return transformed_elsewhere(dst, n, raw_strxfrm_l(dst, src, n, l));
    }
    return transform(dst, src, n);
}

MODEL(size_t, strxfrm_l)(char *dst, const char *src, size_t n, locale_t l) {
    return transform_l(dst, src, n, l);
}

MODEL(size_t, __strxfrm_l)(char *dst, const char *src, size_t n, locale_t l) {
    return transform_l(dst, src, n, l);
}

// Pairs are swapped from the last to the first, which makes some overlaps work.
MODEL(void, swab)(const void *from, void *to, ssize_t n) {
    const byte *s = from;
    byte *d = to;
    for (ssize_t i = n / 2; i > 0; i--) {
        byte first = s[2 * i - 2], second = s[2 * i - 1];
        d[2 * i - 2] = second;
        d[2 * i - 1] = first;
    }
}

// ---- copies with a known size of the destination

MODEL(char *, __strcpy_chk)(char *dst, const char *src, size_t size) {
    size_t n = length(src);
    if (n >= size) {
        raw___chk_fail();
    }
    copy_string(dst, src, n);
    return dst;
}

MODEL(char *, __stpcpy_chk)(char *dst, const char *src, size_t size) {
    size_t n = length(src);
    if (n >= size) {
        raw___chk_fail();
    }
    return copy_string(dst, src, n);
}

MODEL(char *, __strncpy_chk)(char *dst, const char *src, size_t n, size_t size) {
    if (n > size) {
        raw___chk_fail();
    }
    copy_padded(dst, src, n);
    return dst;
}

MODEL(char *, __stpncpy_chk)(char *dst, const char *src, size_t n, size_t size) {
    if (n > size) {
        raw___chk_fail();
    }
    return copy_padded(dst, src, n);
}

static inline char *append_checked(char *dst, const char *src, size_t n, size_t size) {
    size_t k = length_within(dst, size);
    if (k == size || n >= size - k) {
        raw___chk_fail();
    }
    copy_string(dst + k, src, n);
    return dst;
}

MODEL(char *, __strcat_chk)(char *dst, const char *src, size_t size) {
    return append_checked(dst, src, length(src), size);
}

MODEL(char *, __strncat_chk)(char *dst, const char *src, size_t n, size_t size) {
    return append_checked(dst, src, length_within(src, n), size);
}

// ---- paths

MODEL(char *, basename)(const char *path) {
    const char *slash = find_last(path, '/');
    return found(slash ? slash + 1 : path);
}

// The basename of POSIX, which cuts trailing slashes off its argument.
MODEL(char *, __xpg_basename)(char *path) {
    static char dot[] = ".";
    if (!path || path[0] == 0) {
        return dot;
    }
    size_t n = length(path), end = n;
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    if (end == 0) {
        return path + n - 1;
    }
    if (end < n) {
        path[end] = 0;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return path + start;
}

// ---- bits

MODEL(int, ffs)(int i) {
    return i == 0 ? 0 : __builtin_ctz((unsigned)i) + 1;
}

MODEL(int, __ffs)(int i) {
    return i == 0 ? 0 : __builtin_ctz((unsigned)i) + 1;
}

MODEL(int, ffsl)(long i) {
    return i == 0 ? 0 : __builtin_ctzl((unsigned long)i) + 1;
}

MODEL(int, ffsll)(long long i) {
    return i == 0 ? 0 : __builtin_ctzll((unsigned long long)i) + 1;
}
