// Wide characters and strings: the models against glibc.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

#include "native.h"

static int cases;

#define CHECK(what, c)                                                                                                 \
    do {                                                                                                               \
        cases++;                                                                                                       \
        if (!(c)) {                                                                                                    \
            fprintf(stderr, "%s: line %d\n", what, __LINE__);                                                          \
            failed();                                                                                                  \
        }                                                                                                              \
    } while (0)

#define CLASSES(X)                                                                                                     \
    X(alpha) X(digit) X(alnum) X(space) X(upper) X(lower) X(punct) X(print) X(graph) X(cntrl) X(xdigit) X(blank)
#define DECLARE(name) int m_isw##name(wint_t); int m_isw##name##_l(wint_t, locale_t);
CLASSES(DECLARE)
int m_iswctype(wint_t, wctype_t);
int m_iswctype_l(wint_t, wctype_t, locale_t);
wint_t m_towupper(wint_t);
wint_t m_towlower(wint_t);
wint_t m_towupper_l(wint_t, locale_t);
wint_t m_towlower_l(wint_t, locale_t);
wint_t m_towctrans(wint_t, wctrans_t);
wint_t m_towctrans_l(wint_t, wctrans_t, locale_t);
int m_wcwidth(wchar_t);
int m_wcswidth(const wchar_t *, size_t);
size_t m_wcslen(const wchar_t *);
size_t m_wcsnlen(const wchar_t *, size_t);
int m_wcscmp(const wchar_t *, const wchar_t *);
int m_wcsncmp(const wchar_t *, const wchar_t *, size_t);
int m_wcscoll(const wchar_t *, const wchar_t *);
int m_wcscasecmp(const wchar_t *, const wchar_t *);
int m_wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *m_wcschr(const wchar_t *, wchar_t);
wchar_t *m_wcschrnul(const wchar_t *, wchar_t);
wchar_t *m_wcsrchr(const wchar_t *, wchar_t);
wchar_t *m_wcscpy(wchar_t *, const wchar_t *);
wchar_t *m_wcpcpy(wchar_t *, const wchar_t *);
wchar_t *m_wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wcpncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wcscat(wchar_t *, const wchar_t *);
wchar_t *m_wcsncat(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wcsdup(const wchar_t *);
size_t m_wcsspn(const wchar_t *, const wchar_t *);
size_t m_wcscspn(const wchar_t *, const wchar_t *);
wchar_t *m_wcspbrk(const wchar_t *, const wchar_t *);
wchar_t *m_wcsstr(const wchar_t *, const wchar_t *);
wchar_t *m_wcstok(wchar_t *, const wchar_t *, wchar_t **);
wchar_t *m_wmemchr(const wchar_t *, wchar_t, size_t);
int m_wmemcmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *m_wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wmempcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *m_wmemset(wchar_t *, wchar_t, size_t);
long m_wcstol(const wchar_t *, wchar_t **, int);
unsigned long m_wcstoul(const wchar_t *, wchar_t **, int);
long long m_wcstoll(const wchar_t *, wchar_t **, int);
unsigned long long m_wcstoull(const wchar_t *, wchar_t **, int);

static void characters(locale_t l) {
    for (wint_t i = 0; i < 0x3000 + 4; i++) {
        wint_t c = i < 0x3000 ? i : (const wint_t[]){WEOF, 0x7fffffff, 0x80000000, 0x10ffff}[i - 0x3000];
#define COMPARE(name)                                                                                                  \
    CHECK("isw" #name, m_isw##name(c) == isw##name(c));                                                                \
    CHECK("isw" #name "_l", m_isw##name##_l(c, l) == isw##name##_l(c, l));                                             \
    CHECK("iswctype " #name, m_iswctype(c, wctype(#name)) == iswctype(c, wctype(#name)));                              \
    CHECK("iswctype_l " #name, m_iswctype_l(c, wctype_l(#name, l), l) == iswctype_l(c, wctype_l(#name, l), l));
        if (i < 300 || i % 16 == 0 || i >= 0x3000) {
            CLASSES(COMPARE)
        }
        CHECK("iswctype 0", m_iswctype(c, 0) == 0);
        CHECK("towupper", m_towupper(c) == towupper(c) && m_towlower(c) == towlower(c));
        CHECK("towupper_l", m_towupper_l(c, l) == towupper_l(c, l) && m_towlower_l(c, l) == towlower_l(c, l));
        CHECK("towctrans", m_towctrans(c, wctrans("toupper")) == towctrans(c, wctrans("toupper")));
        CHECK("towctrans", m_towctrans(c, wctrans("tolower")) == towctrans(c, wctrans("tolower")));
        wctrans_t down = wctrans_l("tolower", l), up = wctrans_l("toupper", l);
        CHECK("towctrans_l", m_towctrans_l(c, down, l) == towctrans_l(c, down, l));
        CHECK("towctrans_l", m_towctrans_l(c, up, l) == towctrans_l(c, up, l));
        CHECK("wcwidth", m_wcwidth((wchar_t)c) == wcwidth((wchar_t)c));
    }
}

static wchar_t character(void) {
    switch (random_below(10)) {
    case 0: return (wchar_t)(0x80 + random_below(0x2000));
    case 1: return (wchar_t)(1 + random_below(127));
    case 2: return (wchar_t)(0x80000000u + random_below(4));
    case 3: return "ABC"[random_below(3)];
    default: return "abc"[random_below(3)];
    }
}

static void generate(wchar_t *s, unsigned most) {
    unsigned n = random_below(most + 1);
    for (unsigned i = 0; i < n; i++) {
        s[i] = character();
    }
    s[n] = 0;
}

static void strings(void) {
    wchar_t a[16], b[16], set[5], part[4], x[40], y[40];
    generate(a, 12);
    generate(b, 12);
    generate(set, 4);
    generate(part, 3);
    if (random_below(2)) {
        size_t k = random_below((unsigned)wcslen(a) + 1);
        for (size_t i = 0; i < k; i++) {
            b[i] = a[i];
        }
        b[15] = 0;
        if (k == wcslen(a)) {
            b[k] = 0;
        }
        while (wcslen(b) > 12) {
            b[12] = 0;
        }
    }
    size_t n = random_below(14);
    wchar_t c = random_below(8) ? character() : 0;
    CHECK("wcslen", m_wcslen(a) == wcslen(a));
    CHECK("wcsnlen", m_wcsnlen(a, n) == wcsnlen(a, n));
    CHECK("wcswidth", m_wcswidth(a, n) == wcswidth(a, n));
    CHECK("wcscmp", m_wcscmp(a, b) == wcscmp(a, b));
    CHECK("wcsncmp", m_wcsncmp(a, b, n) == wcsncmp(a, b, n));
    CHECK("wcscoll", m_wcscoll(a, b) == wcscoll(a, b));
    CHECK("wcscasecmp", m_wcscasecmp(a, b) == wcscasecmp(a, b));
    CHECK("wcsncasecmp", m_wcsncasecmp(a, b, n) == wcsncasecmp(a, b, n));
    CHECK("wcschr", m_wcschr(a, c) == wcschr(a, c));
    CHECK("wcschrnul", m_wcschrnul(a, c) == wcschrnul(a, c));
    CHECK("wcsrchr", m_wcsrchr(a, c) == wcsrchr(a, c));
    CHECK("wcsspn", m_wcsspn(a, set) == wcsspn(a, set));
    CHECK("wcscspn", m_wcscspn(a, set) == wcscspn(a, set));
    CHECK("wcspbrk", m_wcspbrk(a, set) == wcspbrk(a, set));
    CHECK("wcsstr", m_wcsstr(a, part) == wcsstr(a, part));
    CHECK("wmemchr", m_wmemchr(a, c, wcslen(a)) == wmemchr(a, c, wcslen(a)));
    size_t k = wcslen(a) < wcslen(b) ? wcslen(a) : wcslen(b);
    CHECK("wmemcmp", m_wmemcmp(a, b, k) == wmemcmp(a, b, k));
    wchar_t *d = m_wcsdup(a);
    CHECK("wcsdup", wcscmp(d, a) == 0);
    free(d);
#define WRITE(what, model, real)                                                                                       \
    wmemset(x, 0x55, 40);                                                                                              \
    wcscpy(x, b);                                                                                                      \
    memcpy(y, x, sizeof x);                                                                                            \
    CHECK(what, (model)-x == (real)-y && memcmp(x, y, sizeof x) == 0);
    WRITE("wcscpy", m_wcscpy(x, a), wcscpy(y, a))
    WRITE("wcpcpy", m_wcpcpy(x, a), wcpcpy(y, a))
    WRITE("wcsncpy", m_wcsncpy(x, a, n), wcsncpy(y, a, n))
    WRITE("wcpncpy", m_wcpncpy(x, a, n), wcpncpy(y, a, n))
    WRITE("wcscat", m_wcscat(x, a), wcscat(y, a))
    WRITE("wcsncat", m_wcsncat(x, a, n), wcsncat(y, a, n))
    WRITE("wmemcpy", m_wmemcpy(x, a, n), wmemcpy(y, a, n))
    WRITE("wmempcpy", m_wmempcpy(x, a, n), wmempcpy(y, a, n))
    WRITE("wmemset", m_wmemset(x, c, n), wmemset(y, c, n))
    WRITE("wmemmove", m_wmemmove(x + 2, x, n), wmemmove(y + 2, y, n))
    WRITE("wmemmove", m_wmemmove(x, x + 2, n), wmemmove(y, y + 2, n))
    WRITE("wcscpy", m_wcscpy(x, a), wcscpy(y, a))
    wchar_t *rest_x = NULL, *rest_y = NULL, *p = x, *q = y;
    for (int i = 0; i < 4; i++) {
        p = m_wcstok(p, set, &rest_x);
        q = wcstok(q, set, &rest_y);
        CHECK("wcstok", (p ? p - x : -1) == (q ? q - y : -1));
        CHECK("wcstok", (rest_x ? rest_x - x : -1) == (rest_y ? rest_y - y : -1));
        CHECK("wcstok", memcmp(x, y, sizeof x) == 0);
        if (!p) {
            break;
        }
        p = q = NULL;
    }
}

static void numbers(void) {
    wchar_t s[64];
    size_t n = 0;
    static const int bases[] = {0, 0, 10, 10, 16, 16, 8, 2, 36, 36, 7, 1, 37, -1};
    int base = bases[random_below(14)];
    while (random_below(4) == 0) {
        s[n++] = (const wchar_t[]){' ', '\t', 0x2003, 0xa0}[random_below(4)];
    }
    if (random_below(3) == 0) {
        s[n++] = "+-"[random_below(2)];
    }
    if (random_below(3) == 0) {
        s[n++] = '0';
        if (random_below(2)) {
            s[n++] = "xX"[random_below(2)];
        }
    }
    for (unsigned k = random_below(random_below(3) ? 8 : 40); k > 0; k--) {
        s[n++] = (unsigned char)"0123456789abcfzABFZ0123456789"[random_below(base == 36 ? 19 : 29)];
        if (random_below(40) == 0) {
            s[n - 1] = (const wchar_t[]){0x17f, 0x131, 0x212a, 'g', 'x', ' ', 0x661, 0xff11}[random_below(8)];
        }
    }
    s[n] = 0;
    if (random_below(10) == 0) {
        const char *edge = PICK("9223372036854775806", "9223372036854775807", "9223372036854775808",
                                "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
                                "18446744073709551616",
                                "-18446744073709551615", "0xffffffffffffffff", "0x10000000000000000", "3w5e11264sgsf",
                                "3w5e11264sgsg");
        for (n = 0; edge[n]; n++) {
            s[n] = edge[n];
        }
        s[n] = 0;
    }
#define NUMBER(type, name)                                                                                             \
    do {                                                                                                               \
        wchar_t *e = (wchar_t *)8, *f = (wchar_t *)8;                                                                  \
        errno = 0;                                                                                                     \
        type a = m_##name(s, &e, base);                                                                                \
        int ea = errno;                                                                                                \
        errno = 0;                                                                                                     \
        type b = name(s, &f, base);                                                                                    \
        if (a != b || e != f || ea != errno) {                                                                         \
            fprintf(stderr, "%ls base %d: %lld +%td %d | %lld +%td %d: ", s, base, (long long)a, e - s, ea,            \
                    (long long)b, f - s, errno);                                                                       \
        }                                                                                                              \
        CHECK(#name, a == b && e == f && ea == errno);                                                                 \
    } while (0)
    NUMBER(long, wcstol);
    NUMBER(unsigned long, wcstoul);
    NUMBER(long long, wcstoll);
    NUMBER(unsigned long long, wcstoull);
}

int main(void) {
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (int k = 0; k < 2; k++) {
        setlocale(LC_ALL, locales[k]);
        locale_t l = newlocale(LC_ALL_MASK, locales[k], (locale_t)0);
        characters(l);
        for (int i = 0; i < 30000; i++) {
            off_native_concrete = i % 4 ? 0 : 2;
            strings();
            numbers();
        }
        freelocale(l);
    }
    printf("wide: %d cases, %d failures\n", cases, failures);
    return failures != 0;
}
