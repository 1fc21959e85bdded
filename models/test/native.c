// Differential tests of the models against the system's libc: random arguments, same results, same memory, same errno.
#include "../model.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <locale.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern int off_native_concrete;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static int cases = 8000;
static int failures;
static unsigned long long total;

static uint64_t random_state = 88172645463325252u;

static uint64_t rnd(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t below(size_t n) {
    return (size_t)(rnd() >> 11) % n;
}

static void *libc;

// The real function, not a sanitizer's.
static void *ref(const char *name) {
    void *p = dlsym(libc, name);
    if (!p) {
        printf("no %s in libc\n", name);
        exit(2);
    }
    return p;
}

#define REF(name) __typeof__(&(name)) real = (__typeof__(&(name)))ref(#name)
#define EACH for (int case_ = 0; case_ < cases; case_++, total++)

static void fail(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(const char *name, const char *format, ...) {
    va_list list;
    va_start(list, format);
    printf("FAIL %s (concrete=%d): ", name, off_native_concrete);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    if (++failures >= 40) {
        exit(1);
    }
}

static const char *quote(const char *s, size_t n) {
    static char buffer[4][2048];
    static int k;
    char *p = buffer[k = (k + 1) % 4], *out = p;
    for (size_t i = 0; i < n && out < p + 2000; i++) {
        unsigned char c = (unsigned char)s[i];
        out += c >= 32 && c < 127 ? sprintf(out, "%c", c) : sprintf(out, "\\x%02x", c);
    }
    *out = 0;
    return p;
}

#define Q(s) quote(s, strlen(s))

// ---- memory: each slot ends where a page without access begins

enum { SLOTS = 6, SIZE = 4096 };
static char *slot[SLOTS];

static void make_slots(void) {
    for (int i = 0; i < SLOTS; i++) {
        char *p = mmap(0, 3 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(p, SIZE, PROT_NONE);
        mprotect(p + 2 * SIZE, SIZE, PROT_NONE);
        slot[i] = p + SIZE;
    }
}

static char *at_end(int k, size_t n) {
    return slot[k] + SIZE - n;
}

static char any_char(void) {
    static const char few[] = "aAbB01/.";
    switch (below(8)) {
    case 0:
        return (char)(1 + below(255));
    case 1:
        return (char)(' ' + below(95));
    default:
        return few[below(sizeof few - 1)];
    }
}

static size_t any_length(void) {
    return below(16) == 0 ? below(300) : below(12);
}

static char *string_of(int k, size_t n) {
    char *s = at_end(k, n + 1);
    for (size_t i = 0; i < n; i++) {
        s[i] = any_char();
    }
    s[n] = 0;
    return s;
}

static char *string(int k) {
    return string_of(k, any_length());
}

// A string that has much in common with another one.
static char *similar(int k, const char *t) {
    size_t n = strlen(t);
    switch (below(6)) {
    case 0:
        return string(k);
    case 1:
        n = below(n + 1);
        break;
    case 2: {
        size_t more = below(5);
        char *s = string_of(k, n + more);
        memcpy(s, t, n);
        return s;
    }
    default:
        break;
    }
    char *s = at_end(k, n + 1);
    memcpy(s, t, n);
    s[n] = 0;
    for (size_t i = 0; n && i < below(4); i++) {
        size_t p = below(n);
        s[p] = below(2) ? (char)(isalpha((unsigned char)s[p]) ? s[p] ^ 32 : s[p]) : any_char();
    }
    return s;
}

// Some bytes, with zeros among them.
static char *bytes(int k, size_t n) {
    char *s = at_end(k, n);
    for (size_t i = 0; i < n; i++) {
        s[i] = below(6) ? any_char() : 0;
    }
    return s;
}

static size_t any_max(size_t n) {
    switch (below(8)) {
    case 0:
        return SIZE_MAX;
    case 1:
        return n;
    case 2:
        return n + 1;
    default:
        return below(n + 4);
    }
}

static int sign(int v) {
    return (v > 0) - (v < 0);
}

// A sanitizer's comparison functions give the sign only.
static int same_order(int a, int b, int exact) {
    return exact && !(SANITIZED && off_native_concrete) ? a == b : sign(a) == sign(b);
}

// ---- string.h

#define D(name) extern __typeof__(name) OFF(name)
D(strlen);
D(strnlen);
D(strcmp);
D(strncmp);
D(strcasecmp);
D(strncasecmp);
D(strcasecmp_l);
D(strncasecmp_l);
D(strcoll);
D(strcoll_l);
D(strxfrm);
D(strxfrm_l);
D(strchr);
D(strrchr);
D(strchrnul);
D(index);
D(rindex);
D(rawmemchr);
D(memchr);
D(memrchr);
D(memmem);
D(strstr);
D(strcasestr);
D(strspn);
D(strcspn);
D(strpbrk);
D(strtok);
D(strtok_r);
D(strsep);
D(strcpy);
D(stpcpy);
D(strncpy);
D(stpncpy);
D(strcat);
D(strncat);
D(strdup);
D(strndup);
D(memcmp);
D(bcmp);
D(memccpy);
D(strverscmp);
D(swab);
D(basename);
D(ffs);
D(ffsl);
D(ffsll);

// The same functions under other names.
static locale_t c_locale;

typedef int compare_function(const char *, const char *);
typedef int compare_l_function(const char *, const char *, locale_t);
typedef int compare_n_function(const char *, const char *, size_t);
typedef int compare_n_l_function(const char *, const char *, size_t, locale_t);
extern compare_function OFF(__strcasecmp), OFF(__strverscmp);
extern compare_l_function OFF(__strcasecmp_l), OFF(__strcoll_l);
extern compare_n_l_function OFF(__strncasecmp_l);
extern int OFF(__memcmpeq)(const void *, const void *, size_t);

static void test_compare(void) {
    static const struct {
        const char *name;
        compare_function *model;
    } plain[] = {{"strcmp", OFF(strcmp)},
                 {"strcasecmp", OFF(strcasecmp)},
                 {"__strcasecmp", OFF(__strcasecmp)},
                 {"strcoll", OFF(strcoll)},
                 {"strverscmp", OFF(strverscmp)},
                 {"__strverscmp", OFF(__strverscmp)}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        compare_function *real = (compare_function *)ref(plain[i].name);
        EACH {
            char *a = string(0), *b = similar(1, a);
            int x = plain[i].model(a, b), y = real(a, b);
            if (!same_order(x, y, 1)) {
                fail(plain[i].name, "\"%s\" \"%s\": %d, not %d", Q(a), Q(b), x, y);
            }
        }
    }
    static const struct {
        const char *name;
        compare_l_function *model;
    } local[] = {{"strcasecmp_l", OFF(strcasecmp_l)},
                 {"__strcasecmp_l", OFF(__strcasecmp_l)},
                 {"strcoll_l", OFF(strcoll_l)},
                 {"__strcoll_l", OFF(__strcoll_l)}};
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        compare_l_function *real = (compare_l_function *)ref(local[i].name);
        EACH {
            char *a = string(0), *b = similar(1, a);
            int x = local[i].model(a, b, c_locale), y = real(a, b, c_locale);
            if (!same_order(x, y, 1)) {
                fail(local[i].name, "\"%s\" \"%s\": %d, not %d", Q(a), Q(b), x, y);
            }
        }
    }
    static const struct {
        const char *name;
        compare_n_function *model;
        compare_n_l_function *model_l;
    } within[] = {{"strncmp", OFF(strncmp), 0},
                  {"strncasecmp", OFF(strncasecmp), 0},
                  {"strncasecmp_l", 0, OFF(strncasecmp_l)},
                  {"__strncasecmp_l", 0, OFF(__strncasecmp_l)}};
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        void *real = ref(within[i].name);
        EACH {
            char *a = string(0), *b = similar(1, a);
            size_t n = any_max(strlen(a));
            if (below(4) == 0) {
                // Not terminated.
                n = any_length();
                a = at_end(0, n);
                for (size_t k = 0; k < n; k++) {
                    a[k] = any_char();
                }
                b = at_end(1, n);
                memcpy(b, a, n);
                if (n && below(2)) {
                    b[below(n)] = any_char();
                }
            }
            int x, y;
            if (within[i].model) {
                x = within[i].model(a, b, n);
                y = ((compare_n_function *)real)(a, b, n);
            } else {
                x = within[i].model_l(a, b, n, c_locale);
                y = ((compare_n_l_function *)real)(a, b, n, c_locale);
            }
            if (!same_order(x, y, 1)) {
                fail(within[i].name, "%zu: %d, not %d", n, x, y);
            }
        }
    }
    static const struct {
        const char *name;
        int (*model)(const void *, const void *, size_t);
    } memory[] = {{"memcmp", OFF(memcmp)}, {"bcmp", OFF(bcmp)}, {"__memcmpeq", OFF(__memcmpeq)}};
    for (size_t i = 0; i < 3; i++) {
        int (*real)(const void *, const void *, size_t) =
            (int (*)(const void *, const void *, size_t))ref(memory[i].name);
        EACH {
            size_t n = any_length();
            char *a = bytes(0, n), *b = bytes(1, n);
            if (below(4)) {
                memcpy(b, a, n);
                if (n && below(2)) {
                    b[below(n)] = any_char();
                }
            }
            int x = memory[i].model(a, b, n), y = real(a, b, n);
            if (i == 0 ? sign(x) != sign(y) : !x != !y) {
                fail(memory[i].name, "%zu: %d, not %d", n, x, y);
            }
        }
    }
    // strverscmp again, with digits.
    REF(strverscmp);
    EACH {
        char a[12], b[12];
        size_t n = below(8);
        for (size_t i = 0; i < 12; i++) {
            a[i] = "0019x."[below(6)];
            b[i] = i < n ? a[i] : "0019x."[below(6)];
        }
        a[below(12)] = 0;
        b[below(12)] = 0;
        a[11] = b[11] = 0;
        int x = OFF(strverscmp)(a, b), y = real(a, b);
        if (x != y) {
            fail("strverscmp", "\"%s\" \"%s\": %d, not %d", a, b, x, y);
        }
    }
}

static char any_of(const char *s, size_t n) {
    return n && below(3) ? s[below(n)] : below(6) ? any_char() : 0;
}

extern __typeof__(rawmemchr) OFF(__rawmemchr);
extern __typeof__(strcasestr) OFF(__strcasestr);

static void test_search(void) {
    {
        REF(strlen);
        EACH {
            char *s = string(0);
            if (OFF(strlen)(s) != real(s)) {
                fail("strlen", "\"%s\"", Q(s));
            }
        }
    }
    {
        REF(strnlen);
        EACH {
            size_t n = any_length();
            char *s = bytes(0, n);
            size_t max = memchr(s, 0, n) ? any_max(n) : below(n + 1);
            if (OFF(strnlen)(s, max) != real(s, max)) {
                fail("strnlen", "%zu", max);
            }
        }
    }
    static const struct {
        const char *name;
        char *(*model)(const char *, int);
    } chars[] = {{"strchr", OFF(strchr)},
                 {"strrchr", OFF(strrchr)},
                 {"strchrnul", OFF(strchrnul)},
                 {"index", OFF(index)},
                 {"rindex", OFF(rindex)}};
    for (size_t i = 0; i < sizeof chars / sizeof *chars; i++) {
        char *(*real)(const char *, int) = (char *(*)(const char *, int))ref(chars[i].name);
        EACH {
            char *s = string(0);
            int c = any_of(s, strlen(s)) + (int)below(3) * 256;
            if (chars[i].model(s, c) != real(s, c)) {
                fail(chars[i].name, "\"%s\" %d", Q(s), c);
            }
        }
    }
    {
        REF(rawmemchr);
        EACH {
            size_t n = any_length() + 1;
            char *s = bytes(0, n);
            int c = s[below(n)] - (int)below(2) * 256;
            if (OFF(rawmemchr)(s, c) != real(s, c) || OFF(__rawmemchr)(s, c) != real(s, c)) {
                fail("rawmemchr", "\"%s\" %d", quote(s, n), c);
            }
        }
    }
    {
        REF(memchr);
        EACH {
            size_t n = any_length();
            char *s = bytes(0, n);
            int c = any_of(s, n) + 256 * (int)below(2);
            size_t max = memchr(s, c, n) ? any_max(n) : below(n + 1);
            if (max > n && max != SIZE_MAX) {
                max = n;
            }
            if (OFF(memchr)(s, c, max) != real(s, c, max)) {
                fail("memchr", "\"%s\" %d %zu", quote(s, n), c, max);
            }
        }
    }
    {
        REF(memrchr);
        EACH {
            size_t n = any_length();
            char *s = bytes(0, n);
            int c = any_of(s, n) + 256 * (int)below(2);
            if (OFF(memrchr)(s, c, n) != real(s, c, n)) {
                fail("memrchr", "\"%s\" %d", quote(s, n), c);
            }
        }
    }
    {
        REF(memmem);
        EACH {
            size_t n = any_length(), m = below(5);
            char *h = bytes(0, n), *w = bytes(1, m);
            if (m <= n && below(2)) {
                memcpy(w, h + below(n - m + 1), m);
            }
            if (OFF(memmem)(h, n, w, m) != real(h, n, w, m)) {
                fail("memmem", "\"%s\" \"%s\"", quote(h, n), quote(w, m));
            }
        }
    }
    static const struct {
        const char *name;
        char *(*model)(const char *, const char *);
    } strings[] = {{"strstr", OFF(strstr)},
                   {"strcasestr", OFF(strcasestr)},
                   {"__strcasestr", OFF(__strcasestr)},
                   {"strpbrk", OFF(strpbrk)}};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        char *(*real)(const char *, const char *) = (char *(*)(const char *, const char *))ref(strings[i].name);
        EACH {
            char *h = string(0), *w = string_of(1, below(4));
            size_t n = strlen(h);
            if (n && below(2)) {
                size_t from = below(n), m = below(n - from + 1);
                w = string_of(1, m);
                memcpy(w, h + from, m);
                for (size_t k = 0; k < m; k++) {
                    w[k] = (char)(i && isalpha((unsigned char)w[k]) && below(2) ? w[k] ^ 32 : w[k]);
                }
            }
            if (strings[i].model(h, w) != real(h, w)) {
                fail(strings[i].name, "\"%s\" \"%s\"", Q(h), Q(w));
            }
        }
    }
    static const struct {
        const char *name;
        size_t (*model)(const char *, const char *);
    } spans[] = {{"strspn", OFF(strspn)}, {"strcspn", OFF(strcspn)}};
    for (size_t i = 0; i < 2; i++) {
        size_t (*real)(const char *, const char *) = (size_t(*)(const char *, const char *))ref(spans[i].name);
        EACH {
            char *s = string(0), *set = string_of(1, below(8));
            if (spans[i].model(s, set) != real(s, set)) {
                fail(spans[i].name, "\"%s\" \"%s\"", Q(s), Q(set));
            }
        }
    }
}

extern __typeof__(strtok_r) OFF(__strtok_r);
extern __typeof__(strsep) OFF(__strsep_g);

static void test_tokens(void) {
    REF(strsep);
    __typeof__(&strtok) real_tok = (__typeof__(&strtok))ref("strtok");
    __typeof__(&strtok_r) real_tok_r = (__typeof__(&strtok_r))ref("strtok_r");
    EACH {
        for (int kind = 0; kind < 5; kind++) {
            static const char *names[] = {"strtok", "strtok_r", "__strtok_r", "strsep", "__strsep_g"};
            char *s = string(0), *t = at_end(1, strlen(s) + 1), *start_s = s, *start_t = t;
            size_t n = strlen(s) + 1;
            memcpy(t, s, n);
            char *set = string_of(2, below(4)), *rest_s = s, *rest_t = t;
            for (int k = 0; k < 40; k++) {
                if (k && below(8) == 0) {
                    set = string_of(2, below(4));
                }
                char *a, *b;
                switch (kind) {
                case 0:
                    a = OFF(strtok)(k ? 0 : s, set);
                    b = real_tok(k ? 0 : t, set);
                    rest_s = rest_t = 0;
                    break;
                case 1:
                    a = OFF(strtok_r)(k ? 0 : s, set, &rest_s);
                    b = real_tok_r(k ? 0 : t, set, &rest_t);
                    break;
                case 2:
                    a = OFF(__strtok_r)(k ? 0 : s, set, &rest_s);
                    b = real_tok_r(k ? 0 : t, set, &rest_t);
                    break;
                case 3:
                    a = OFF(strsep)(&rest_s, set);
                    b = real(&rest_t, set);
                    break;
                default:
                    a = OFF(__strsep_g)(&rest_s, set);
                    b = real(&rest_t, set);
                    break;
                }
                if (!a != !b || (a && a - start_s != b - start_t) || memcmp(start_s, start_t, n) ||
                    (rest_s ? rest_s - start_s : -1) != (rest_t ? rest_t - start_t : -1)) {
                    fail(names[kind], "\"%s\"", Q(set));
                    break;
                }
                if (!a) {
                    break;
                }
            }
        }
    }
}

extern __typeof__(stpcpy) OFF(__stpcpy);
extern __typeof__(stpncpy) OFF(__stpncpy);
extern __typeof__(strdup) OFF(__strdup);
extern __typeof__(strndup) OFF(__strndup);
extern char *OFF(__xpg_basename)(char *);
extern char *OFF(__strcpy_chk)(char *, const char *, size_t);
extern char *OFF(__stpcpy_chk)(char *, const char *, size_t);
extern char *OFF(__strcat_chk)(char *, const char *, size_t);
extern char *OFF(__strncpy_chk)(char *, const char *, size_t, size_t);
extern char *OFF(__stpncpy_chk)(char *, const char *, size_t, size_t);
extern char *OFF(__strncat_chk)(char *, const char *, size_t, size_t);
extern __typeof__(strxfrm_l) OFF(__strxfrm_l);

// Destinations are slots 2 and 3; all of a page is compared.
static void fresh(void) {
    for (size_t i = 0; i < 128; i++) {
        slot[2][SIZE - 1 - i] = slot[3][SIZE - 1 - i] = (char)(0x55 + i % 3);
    }
}

static void same_memory(const char *name, const char *a, const char *b) {
    if (memcmp(slot[2], slot[3], SIZE)) {
        fail(name, "memory differs");
        memcpy(slot[2], slot[3], SIZE);
    }
    if ((a ? a - slot[2] : -1) != (b ? b - slot[3] : -1)) {
        fail(name, "result differs");
    }
}

static void test_copies(void) {
    memset(slot[2], 0, SIZE);
    memset(slot[3], 0, SIZE);
    static const struct {
        const char *name;
        char *(*model)(char *, const char *);
        char *(*model_n)(char *, const char *, size_t);
        char *(*model_chk)(char *, const char *, size_t);
        char *(*model_n_chk)(char *, const char *, size_t, size_t);
        int append;
    } f[] = {{"strcpy", OFF(strcpy), 0, 0, 0, 0},
             {"stpcpy", OFF(stpcpy), 0, 0, 0, 0},
             {"__stpcpy", OFF(__stpcpy), 0, 0, 0, 0},
             {"strcat", OFF(strcat), 0, 0, 0, 1},
             {"strncpy", 0, OFF(strncpy), 0, 0, 0},
             {"stpncpy", 0, OFF(stpncpy), 0, 0, 0},
             {"__stpncpy", 0, OFF(__stpncpy), 0, 0, 0},
             {"strncat", 0, OFF(strncat), 0, 0, 1},
             {"__strcpy_chk", 0, 0, OFF(__strcpy_chk), 0, 0},
             {"__stpcpy_chk", 0, 0, OFF(__stpcpy_chk), 0, 0},
             {"__strcat_chk", 0, 0, OFF(__strcat_chk), 0, 1},
             {"__strncpy_chk", 0, 0, 0, OFF(__strncpy_chk), 0},
             {"__stpncpy_chk", 0, 0, 0, OFF(__stpncpy_chk), 0},
             {"__strncat_chk", 0, 0, 0, OFF(__strncat_chk), 1}};
    for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
        void *real = ref(f[i].name);
        int with_n = f[i].model_n || f[i].model_n_chk;
        EACH {
            char *s = string_of(0, below(4) ? below(12) : below(70));
            size_t k = strlen(s), n = below(80);
            if (with_n && below(3) == 0) {
                // Not terminated.
                k = below(12);
                s = at_end(0, k);
                for (size_t j = 0; j < k; j++) {
                    s[j] = any_char();
                }
                n = k;
            }
            fresh();
            size_t old = below(20), need;
            size_t copied = with_n ? strnlen(s, n) : k;
            if (f[i].append) {
                need = old + copied + 1;
            } else {
                need = with_n ? n : k + 1;
            }
            char *d = at_end(2, need), *e = at_end(3, need);
            if (f[i].append) {
                for (size_t j = 0; j < old; j++) {
                    d[j] = e[j] = any_char();
                }
                d[old] = e[old] = 0;
            }
            char *a, *b;
            size_t size = need + below(2) * below(9);
            if (f[i].model) {
                a = f[i].model(d, s);
                b = ((char *(*)(char *, const char *))real)(e, s);
            } else if (f[i].model_n) {
                a = f[i].model_n(d, s, n);
                b = ((char *(*)(char *, const char *, size_t))real)(e, s, n);
            } else if (f[i].model_chk) {
                a = f[i].model_chk(d, s, size);
                b = ((char *(*)(char *, const char *, size_t))real)(e, s, size);
            } else {
                a = f[i].model_n_chk(d, s, n, size);
                b = ((char *(*)(char *, const char *, size_t, size_t))real)(e, s, n, size);
            }
            same_memory(f[i].name, a, b);
        }
    }
    {
        REF(memccpy);
        EACH {
            size_t n = any_length();
            if (n > 100) {
                n = 100;
            }
            char *s = bytes(0, n);
            int c = any_of(s, n) + 256 * (int)below(2);
            fresh();
            char *a = OFF(memccpy)(at_end(2, n), s, c, n), *b = real(at_end(3, n), s, c, n);
            same_memory("memccpy", a, b);
        }
    }
    for (int kind = 0; kind < 3; kind++) {
        REF(strxfrm);
        EACH {
            char *s = string_of(0, below(60));
            size_t n = below(70), x;
            fresh();
            if (kind == 0) {
                x = OFF(strxfrm)(at_end(2, n), s, n);
            } else {
                x = (kind == 1 ? OFF(strxfrm_l) : OFF(__strxfrm_l))(at_end(2, n), s, n, c_locale);
            }
            size_t y = real(at_end(3, n), s, n);
            same_memory("strxfrm", 0, 0);
            if (x != y) {
                fail("strxfrm", "%zu not %zu", x, y);
            }
        }
    }
    {
        REF(swab);
        EACH {
            size_t n = below(60);
            fresh();
            for (size_t i = 0; i < 60; i++) {
                at_end(2, 70)[i] = at_end(3, 70)[i] = any_char();
            }
            ssize_t from = 70 - (ssize_t)below(5), to = 70 - (ssize_t)below(5), m = (ssize_t)n - 5;
            OFF(swab)(slot[2] + SIZE - from, slot[2] + SIZE - to, m);
            real(slot[3] + SIZE - from, slot[3] + SIZE - to, m);
            same_memory("swab", 0, 0);
        }
    }
    EACH {
        char *s = string(0);
        size_t n = any_max(strlen(s));
        char *p[4] = {OFF(strdup)(s), OFF(__strdup)(s), OFF(strndup)(s, n), OFF(__strndup)(s, n)};
        char *q = strndup(s, n);
        if (strcmp(p[0], s) || strcmp(p[1], s) || strcmp(p[2], q) || strcmp(p[3], q)) {
            fail("strdup", "\"%s\"", Q(s));
        }
        for (int i = 0; i < 4; i++) {
            free(p[i]);
        }
        free(q);
    }
    {
        REF(basename);
        char *(*xpg)(char *) = (char *(*)(char *))ref("__xpg_basename");
        EACH {
            char *s = string(0);
            for (size_t n = strlen(s), i = 0; i < n; i++) {
                s[i] = "/ab/"[below(4)];
            }
            if (OFF(basename)(s) != real(s)) {
                fail("basename", "\"%s\"", s);
            }
            size_t n = strlen(s) + 1;
            char *t = at_end(1, n);
            memcpy(t, s, n);
            char *a = OFF(__xpg_basename)(s), *b = xpg(t);
            if (memcmp(s, t, n) || strcmp(a, b) || (n > 1 && a - s != b - t)) {
                fail("__xpg_basename", "\"%s\" %s %s", t, a, b);
            }
        }
        if (strcmp(OFF(__xpg_basename)(0), ".")) {
            fail("__xpg_basename", "null");
        }
    }
}

// Does the call end the process? With model 0 the real function is called.
static int overflows(int kind, int model, char *d, const char *s, size_t n, size_t size) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        close(2);
        switch (kind) {
        case 0:
            (model ? OFF(__strcpy_chk) : (char *(*)(char *, const char *, size_t))ref("__strcpy_chk"))(d, s, size);
            break;
        case 1:
            (model ? OFF(__stpcpy_chk) : (char *(*)(char *, const char *, size_t))ref("__stpcpy_chk"))(d, s, size);
            break;
        case 2:
            (model ? OFF(__strcat_chk) : (char *(*)(char *, const char *, size_t))ref("__strcat_chk"))(d, s, size);
            break;
        case 3:
            (model ? OFF(__strncpy_chk)
                   : (char *(*)(char *, const char *, size_t, size_t))ref("__strncpy_chk"))(d, s, n, size);
            break;
        case 4:
            (model ? OFF(__stpncpy_chk)
                   : (char *(*)(char *, const char *, size_t, size_t))ref("__stpncpy_chk"))(d, s, n, size);
            break;
        default:
            (model ? OFF(__strncat_chk)
                   : (char *(*)(char *, const char *, size_t, size_t))ref("__strncat_chk"))(d, s, n, size);
            break;
        }
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_overflow(void) {
    for (int i = 0; i < 180; i++) {
        char d[64] = "", s[16] = "";
        size_t old = below(5), m = below(5), n = below(5), size = below(10);
        memset(d, 'd', old);
        memset(s, 's', m);
        int kind = i % 6;
        int x = overflows(kind, 1, d, s, n, size), y = overflows(kind, 0, d, s, n, size);
        if (x != y) {
            fail("_chk", "kind %d: old %zu, length %zu, n %zu, size %zu: %d not %d", kind, old, m, n, size, x, y);
        }
    }
}

extern int OFF(__ffs)(int);

static void test_bits(void) {
    EACH {
        long v = (long)rnd();
        v = below(8) ? (long)((unsigned long)v << below(64)) : (long)below(3);
        if (OFF(ffs)((int)v) != ffs((int)v) || OFF(__ffs)((int)v) != ffs((int)v) || OFF(ffsl)(v) != ffsl(v) ||
            OFF(ffsll)(v) != ffsll(v)) {
            fail("ffs", "%lx", v);
        }
    }
}

// ---- ctype.h

#define CLASSES(X)                                                                                                     \
    X(isalnum)                                                                                                         \
    X(isalpha)                                                                                                         \
    X(isblank)                                                                                                         \
    X(iscntrl)                                                                                                         \
    X(isdigit)                                                                                                         \
    X(isgraph)                                                                                                         \
    X(islower)                                                                                                         \
    X(isprint)                                                                                                         \
    X(ispunct)                                                                                                         \
    X(isspace)                                                                                                         \
    X(isupper)                                                                                                         \
    X(isxdigit)                                                                                                        \
    X(toupper)                                                                                                         \
    X(tolower)
#define DECLARE(name) extern int OFF(name)(int), OFF(name##_l)(int, locale_t), OFF(__##name##_l)(int, locale_t);
CLASSES(DECLARE)
extern int OFF(isctype)(int, int), OFF(__isctype)(int, int), OFF(_toupper)(int), OFF(_tolower)(int);
extern int OFF(isascii)(int), OFF(toascii)(int), OFF(__isascii_l)(int, locale_t), OFF(__toascii_l)(int, locale_t);

static void test_ctype(void) {
    static const struct {
        const char *name;
        int (*model)(int), (*model_l)(int, locale_t), (*model__l)(int, locale_t);
    } f[] = {
#define ROW(name) {#name, OFF(name), OFF(name##_l), OFF(__##name##_l)},
        CLASSES(ROW)};
    for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
        int (*real)(int) = (int (*)(int))ref(f[i].name);
        for (int c = -128; c < 256; c++, total++) {
            int y = real(c), x = f[i].model(c), z = f[i].model_l(c, c_locale), u = f[i].model__l(c, c_locale);
            if (x != y || z != y || u != y) {
                fail(f[i].name, "%d: %d %d %d, not %d", c, x, z, u, y);
            }
        }
    }
    int (*real_upper)(int) = (int (*)(int))ref("_toupper"), (*real_lower)(int) = (int (*)(int))ref("_tolower");
    int (*real_class)(int, int) = (int (*)(int, int))ref("isctype");
    int (*real_toascii)(int) = (int (*)(int))ref("toascii"), (*real_isascii)(int) = (int (*)(int))ref("isascii");
    for (int c = -128; c < 256; c++, total++) {
        int mask = (int)below(65536);
        if (OFF(_toupper)(c) != real_upper(c) || OFF(_tolower)(c) != real_lower(c) ||
            OFF(isctype)(c, mask) != real_class(c, mask) || OFF(__isctype)(c, mask) != real_class(c, mask)) {
            fail("isctype", "%d", c);
        }
    }
    for (int c = -1000; c < 1000; c++, total++) {
        if (OFF(toupper)(c) != toupper(c) || OFF(tolower)(c) != tolower(c)) {
            fail("toupper", "%d", c);
        }
        if (OFF(isascii)(c) != real_isascii(c) || OFF(toascii)(c) != real_toascii(c) ||
            OFF(__isascii_l)(c, c_locale) != real_isascii(c) || OFF(__toascii_l)(c, c_locale) != real_toascii(c)) {
            fail("isascii", "%d", c);
        }
    }
}

// ---- numbers

D(strtol);
D(strtoll);
D(strtoul);
D(strtoull);
D(strtoimax);
D(strtoumax);
D(strtoq);
D(strtouq);
D(strtol_l);
D(strtoul_l);
D(strtoll_l);
D(strtoull_l);
D(atoi);
D(atol);
D(atoll);
D(abs);
D(labs);
D(llabs);
D(imaxabs);
D(div);
D(ldiv);
D(lldiv);
D(imaxdiv);
extern __typeof__(strtol_l) OFF(__strtol_l);
extern __typeof__(strtoul_l) OFF(__strtoul_l);
extern __typeof__(strtoll_l) OFF(__strtoll_l);
extern __typeof__(strtoull_l) OFF(__strtoull_l);
extern long OFF(__strtol_internal)(const char *, char **, int, int);
extern long long OFF(__strtoll_internal)(const char *, char **, int, int);
extern unsigned long OFF(__strtoul_internal)(const char *, char **, int, int);
extern unsigned long long OFF(__strtoull_internal)(const char *, char **, int, int);

static char *any_number(int base) {
    char text[200], *p = text;
    for (size_t n = below(3); n; n--) {
        *p++ = " \t\n\v\f\r \x0e\x08"[below(9)];
    }
    if (below(2)) {
        *p++ = "+-"[below(2)];
    }
    if (below(3) == 0) {
        *p++ = '0';
        if (below(4)) {
            *p++ = "xXbB"[below(4)];
        }
    }
    if (base < 2 || base > 36) {
        base = 10;
    }
    if (below(3) == 0) {
        // Close to a limit.
        static const uint64_t limits[] = {LONG_MAX, (uint64_t)LONG_MAX + 1, UINT64_MAX, INT_MAX, UINT_MAX, 0};
        unsigned __int128 v = limits[below(6)];
        v = v + below(4) - (v ? below(3) : 0);
        char digits[140];
        size_t n = 0;
        while (v) {
            unsigned d = (unsigned)(v % (unsigned)base);
            digits[n++] = (char)(d < 10 ? '0' + d : (below(2) ? 'a' : 'A') + d - 10);
            v /= (unsigned)base;
        }
        while (n) {
            *p++ = digits[--n];
        }
    } else {
        for (size_t n = below(8) ? below(10) : below(80); n; n--) {
            unsigned d = (unsigned)below((size_t)base);
            *p++ = (char)(d < 10 ? '0' + d : (below(2) ? 'a' : 'A') + d - 10);
        }
    }
    for (size_t n = below(3) ? 0 : below(4); n; n--) {
        *p++ = below(2) ? any_char() : "zZgG@`/:"[below(8)];
    }
    *p = 0;
    if (below(16) == 0) {
        strcpy(text, (const char *[]){"", "-", "+", "0x", "0X", "-0x", "0xg", "08", "0", " ", "0b1", "+-1", "0x-1",
                                      "-0", "0x0x1", "\xa0" "1"}[below(16)]);
    }
    char *s = at_end(0, strlen(text) + 1);
    strcpy(s, text);
    return s;
}

static int any_base(void) {
    switch (below(6)) {
    case 0:
        return 10;
    case 1:
        return 0;
    case 2:
        return 16;
    case 3:
        return 8;
    default:
        return (int)below(40) - 1;
    }
}

static void test_numbers(void) {
    static const char *names[] = {"strtol",    "strtoll",   "strtoimax",  "strtoq",     "strtol_l",    "strtoll_l",
                                  "__strtol_l", "__strtoll_l", "__strtol_internal", "__strtoll_internal",
                                  "strtoul",   "strtoull",  "strtoumax",  "strtouq",    "strtoul_l",   "strtoull_l",
                                  "__strtoul_l", "__strtoull_l", "__strtoul_internal", "__strtoull_internal"};
    for (int k = 0; k < 20; k++) {
        void *real = ref(names[k]);
        EACH {
            int base = any_base();
            char *s = any_number(base), *end_x = "x", *end_y = "y", **px = below(8) ? &end_x : 0;
            char **py = px ? &end_y : 0;
            end_x = end_y;
            unsigned long x = 0, y;
            errno = 77;
            switch (k) {
            case 0: x = (unsigned long)OFF(strtol)(s, px, base); break;
            case 1: x = (unsigned long)OFF(strtoll)(s, px, base); break;
            case 2: x = (unsigned long)OFF(strtoimax)(s, px, base); break;
            case 3: x = (unsigned long)OFF(strtoq)(s, px, base); break;
            case 4: x = (unsigned long)OFF(strtol_l)(s, px, base, c_locale); break;
            case 5: x = (unsigned long)OFF(strtoll_l)(s, px, base, c_locale); break;
            case 6: x = (unsigned long)OFF(__strtol_l)(s, px, base, c_locale); break;
            case 7: x = (unsigned long)OFF(__strtoll_l)(s, px, base, c_locale); break;
            case 8: x = (unsigned long)OFF(__strtol_internal)(s, px, base, 0); break;
            case 9: x = (unsigned long)OFF(__strtoll_internal)(s, px, base, 0); break;
            case 10: x = OFF(strtoul)(s, px, base); break;
            case 11: x = OFF(strtoull)(s, px, base); break;
            case 12: x = OFF(strtoumax)(s, px, base); break;
            case 13: x = OFF(strtouq)(s, px, base); break;
            case 14: x = OFF(strtoul_l)(s, px, base, c_locale); break;
            case 15: x = OFF(strtoull_l)(s, px, base, c_locale); break;
            case 16: x = OFF(__strtoul_l)(s, px, base, c_locale); break;
            case 17: x = OFF(__strtoull_l)(s, px, base, c_locale); break;
            case 18: x = OFF(__strtoul_internal)(s, px, base, 0); break;
            case 19: x = OFF(__strtoull_internal)(s, px, base, 0); break;
            }
            int error_x = errno;
            errno = 77;
            int variant = k % 10;
            if (variant < 4) {
                y = ((unsigned long (*)(const char *, char **, int))real)(s, py, base);
            } else if (variant < 8) {
                y = ((unsigned long (*)(const char *, char **, int, locale_t))real)(s, py, base, c_locale);
            } else {
                y = ((unsigned long (*)(const char *, char **, int, int))real)(s, py, base, 0);
            }
            int error_y = errno;
            if (x != y || (px && end_x != end_y) || error_x != error_y) {
                fail(names[k], "\"%s\" base %d: %ld, not %ld; end %zd, not %zd; errno %d, not %d", Q(s), base, (long)x,
                     (long)y, px ? end_x - s : 0, px ? end_y - s : 0, error_x, error_y);
            }
        }
    }
    EACH {
        char *s = any_number(10);
        int (*real_i)(const char *) = (int (*)(const char *))ref("atoi");
        long (*real_l)(const char *) = (long (*)(const char *))ref("atol");
        errno = 77;
        int x = OFF(atoi)(s), error_x = errno;
        errno = 77;
        int y = real_i(s), error_y = errno;
        if (x != y || error_x != error_y || OFF(atol)(s) != real_l(s) || OFF(atoll)(s) != real_l(s)) {
            fail("atoi", "\"%s\"", Q(s));
        }
    }
    EACH {
        long v = below(2) ? (long)rnd() : (long)below(5) - 2, w = below(2) ? (long)rnd() : (long)below(20) - 10;
        v = below(20) ? v : below(2) ? LONG_MIN : LONG_MAX;
        if (w == 0 || (int)w == 0) {
            w = 1;
        }
        if (v == LONG_MIN && w == -1) {
            w = 3;
        }
        int i = (int)v, j = (int)w;
        if (i == INT_MIN && j == -1) {
            j = 3;
        }
        div_t a = OFF(div)(i, j), b = div(i, j);
        ldiv_t c = OFF(ldiv)(v, w), d = ldiv(v, w);
        lldiv_t e = OFF(lldiv)(v, w);
        imaxdiv_t f = OFF(imaxdiv)(v, w);
        int (*real_abs)(int) = (int (*)(int))ref("abs");
        long (*real_labs)(long) = (long (*)(long))ref("labs");
        if (a.quot != b.quot || a.rem != b.rem || c.quot != d.quot || c.rem != d.rem || e.quot != d.quot ||
            e.rem != d.rem || f.quot != d.quot || f.rem != d.rem || OFF(abs)(i) != real_abs(i) ||
            OFF(labs)(v) != real_labs(v) || OFF(llabs)(v) != real_labs(v) || OFF(imaxabs)(v) != real_labs(v)) {
            fail("div, abs", "%ld %ld", v, w);
        }
    }
}

// ---- sorting

D(qsort);
D(qsort_r);
D(bsearch);
D(lfind);
D(lsearch);

static uint64_t comparisons;
static size_t key_size;

static int by_key(const void *a, const void *b) {
    int c = memcmp(a, b, key_size);
    comparisons = comparisons * 31 + (uint64_t)sign(c) + 2;
    return c;
}

static int by_key_r(const void *a, const void *b, void *arg) {
    return by_key(a, b) * *(int *)arg;
}

static void test_sort(void) {
    static unsigned char a[60000], b[60000], c[60000];
    EACH {
        size_t size = 1 + below(below(10) ? 12 : 70), n = below(below(50) ? 30 : 700);
        key_size = 1 + below(size < 2 ? 1 : 2);
        key_size = key_size > size ? size : key_size;
        for (size_t i = 0; i < n * size; i++) {
            a[i] = (unsigned char)(i % size < key_size ? below(6) : rnd());
        }
        memcpy(b, a, n * size);
        memcpy(c, a, n * size);
        comparisons = 0;
        OFF(qsort)(a, n, size, by_key);
        uint64_t x = comparisons;
        comparisons = 0;
        ((__typeof__(&qsort))ref("qsort"))(b, n, size, by_key);
        if (memcmp(a, b, n * size) || x != comparisons) {
            fail("qsort", "%zu elements of %zu bytes", n, size);
        }
        memcpy(b, c, n * size);
        int direction = below(2) ? 1 : -1;
        OFF(qsort_r)(c, n, size, by_key_r, &direction);
        ((__typeof__(&qsort_r))ref("qsort_r"))(b, n, size, by_key_r, &direction);
        if (memcmp(c, b, n * size)) {
            fail("qsort_r", "%zu elements of %zu bytes", n, size);
        }
        unsigned char key[100];
        for (size_t i = 0; i < size; i++) {
            key[i] = (unsigned char)below(7);
        }
        REF(bsearch);
        if (OFF(bsearch)(key, a, n, size, by_key) != real(key, a, n, size, by_key)) {
            fail("bsearch", "%zu elements of %zu bytes", n, size);
        }
        if (OFF(lfind)(key, c, &n, size, by_key) != lfind(key, c, &n, size, by_key)) {
            fail("lfind", "%zu elements of %zu bytes", n, size);
        }
        memcpy(b, c, n * size);
        size_t p = n, q = n;
        unsigned char *found_p = OFF(lsearch)(key, c, &p, size, by_key), *found_q = lsearch(key, b, &q, size, by_key);
        if (p != q || found_p - c != found_q - b || memcmp(b, c, p * size)) {
            fail("lsearch", "%zu elements of %zu bytes", n, size);
        }
    }
}

// ---- getopt

D(getopt);
D(getopt_long);
D(getopt_long_only);
extern __typeof__(getopt) OFF(__posix_getopt);

static char log_model[20000], log_real[20000];

static int where(char *const *words, int n, const char *p) {
    for (int i = 0; i < n; i++) {
        if (p >= words[i] && p <= words[i] + strlen(words[i])) {
            return i * 100 + (int)(p - words[i]);
        }
    }
    return p ? -2 : -1;
}

struct command {
    int argc, kind, restart, jump, opterr_, with_index;
    char *argv[12];
    char options[12];
    struct option longs[8];
};

static int flag_value;

static void options_of(const struct command *c, int model, char *log) {
    char *argv[12], *text = 0;
    size_t size = 0;
    memcpy(argv, c->argv, sizeof argv);
    FILE *before = stderr;
    stderr = open_memstream(&text, &size);
    char *p = log;
    optind = 0;
    opterr = c->opterr_;
    int (*posix)(int, char *const *, const char *) = (int (*)(int, char *const *, const char *))ref("__posix_getopt");
    for (int k = 0; k < 24; k++) {
        int index = -5, r;
        flag_value = -7;
        optarg = "unset";
        int *index_p = c->with_index ? &index : 0;
        if (k && k == c->restart) {
            optind = c->jump;
        }
        switch (c->kind) {
        case 0:
            r = (model ? OFF(getopt) : getopt)(c->argc, argv, c->options);
            break;
        case 1:
            r = (model ? OFF(getopt_long) : getopt_long)(c->argc, argv, c->options, c->longs, index_p);
            break;
        case 2:
            r = (model ? OFF(getopt_long_only) : getopt_long_only)(c->argc, argv, c->options, c->longs, index_p);
            break;
        default:
            r = (model ? OFF(__posix_getopt) : posix)(c->argc, argv, c->options);
            break;
        }
        p += sprintf(p, "%d arg %d ind %d opt %d index %d flag %d\n", r, where(c->argv, c->argc, optarg), optind,
                     optopt, index, flag_value);
        if (r == -1) {
            break;
        }
    }
    for (int i = 0; i < c->argc; i++) {
        p += sprintf(p, " %s", argv[i]);
    }
    fclose(stderr);
    stderr = before;
    sprintf(p, "\n%s", text);
    free(text);
}

static void test_getopt(void) {
    static const char *words[] = {"-a", "-b", "-c", "-ab", "-abc", "-bfoo", "-", "--", "x", "file", "--alpha", "--al",
                                  "--alpha=1", "--beta", "--be=2", "--beta=", "-W", "-Walpha", "-Wbeta=3", "alpha",
                                  "beta=4", "--gamma", "--g", "-alpha", "-al", "-be", "-g=3", "-z", "--zeta", "--=",
                                  "-:", "-;", "--a", "--b", "", "-a-", "-x\xff", "--alpha=x=y"};
    static const char *names[] = {"alpha", "alp", "all", "beta", "bet", "gamma", "a", "b", "W", "alarm", "zeta", "-"};
    static char storage[12][16];
    EACH {
        struct command c = {0};
        c.argc = (int)below(9);
        c.kind = (int)below(7);
        c.kind = c.kind > 3 ? c.kind % 3 : c.kind;
        c.restart = below(6) ? 0 : (int)below(8);
        c.jump = c.argc ? (int)below((size_t)c.argc) : 0;
        c.opterr_ = below(5) != 0;
        c.with_index = below(3) != 0;
        for (int i = 0; i < c.argc; i++) {
            if (i == 0) {
                strcpy(storage[i], "prog");
            } else if (below(4) == 0) {
                size_t n = below(6);
                for (size_t k = 0; k < n; k++) {
                    storage[i][k] = "--abcW:;=xl"[below(11)];
                }
                storage[i][n] = 0;
            } else {
                strcpy(storage[i], words[below(sizeof words / sizeof *words)]);
            }
            c.argv[i] = storage[i];
        }
        size_t n = 0;
        if (below(4) == 0) {
            c.options[n++] = "+-"[below(2)];
        }
        if (below(4) == 0) {
            c.options[n++] = ':';
        }
        for (size_t k = below(8); k && n < 11; k--) {
            c.options[n++] = "aabbc:::W;x"[below(11)];
        }
        if (below(5) == 0) {
            strcpy(c.options, "W;ab:c::");
        }
        size_t m = below(7);
        for (size_t k = 0; k < m; k++) {
            c.longs[k].name = names[below(sizeof names / sizeof *names)];
            c.longs[k].has_arg = (int)below(3);
            c.longs[k].flag = below(4) ? 0 : &flag_value;
            c.longs[k].val = below(3) ? 'a' : (int)below(300);
        }
        int posix = below(10) == 0;
        if (posix) {
            setenv("POSIXLY_CORRECT", "1", 1);
        }
        options_of(&c, 1, log_model);
        options_of(&c, 0, log_real);
        if (posix) {
            unsetenv("POSIXLY_CORRECT");
        }
        if (strcmp(log_model, log_real)) {
            printf("kind %d options \"%s\" argv:", c.kind, c.options);
            for (int i = 0; i < c.argc; i++) {
                printf(" \"%s\"", c.argv[i]);
            }
            printf("\nlongs:");
            for (size_t k = 0; k < m; k++) {
                printf(" %s/%d/%d/%d", c.longs[k].name, c.longs[k].has_arg, c.longs[k].flag != 0, c.longs[k].val);
            }
            fail("getopt", "restart %d %d\nmodel:\n%s\nreal:\n%s", c.restart, c.jump, log_model, log_real);
        }
    }
}

// ---- fnmatch

D(fnmatch);
extern unsigned long off_native_losses;

static void test_fnmatch(void) {
    static const char *pieces[] = {"*", "?", "[", "]", "a", "b", "B", "/", ".", "\\", "-", "!", "^", "[a", "[!a]",
                                   "[a-c]", "[[:alpha:]]", "[[:upper:]]", "[[:nope:]]", "[]a]", "[a-]",
                                   "[\\]]", "[A-Z]", "[/]",
                                   "*/", "*.", "**", "[b-a]", "[:", ":]", "[.", "[*]", "@", "(", ")", "|"};
    REF(fnmatch);
    unsigned long before = off_native_losses;
    for (int k = 0; k < cases * 8; k++, total++) {
        char p[80] = "", t[20];
        for (size_t n = below(7); n; n--) {
            strcat(p, pieces[below(sizeof pieces / sizeof *pieces)]);
        }
        size_t n = below(7);
        for (size_t i = 0; i < n; i++) {
            t[i] = "aabBc/./.-]["[below(12)];
        }
        if (n && below(10) == 0) {
            t[below(n)] = any_char();
        }
        t[n] = 0;
        if (below(6) == 0) {
            strcpy(p, t);
        }
        char *q = strcpy(at_end(0, strlen(p) + 1), p), *u = strcpy(at_end(1, n + 1), t);
        int flags = 0;
        static const int all[] = {FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_LEADING_DIR, FNM_CASEFOLD};
        for (int i = 0; i < 5; i++) {
            flags |= below(3) ? 0 : all[i];
        }
        flags |= below(12) ? 0 : FNM_EXTMATCH;
        int x = OFF(fnmatch)(q, u, flags), y = real(q, u, flags);
        if (x != y) {
            fail("fnmatch", "\"%s\" \"%s\"%s%s%s%s%s: %d, not %d", Q(q), Q(u), flags & FNM_PATHNAME ? " path" : "",
                 flags & FNM_PERIOD ? " period" : "", flags & FNM_NOESCAPE ? " noescape" : "",
                 flags & FNM_LEADING_DIR ? " dir" : "", flags & FNM_CASEFOLD ? " fold" : "", x, y);
        }
    }
    if (off_native_concrete == 0 && (off_native_losses - before) * 4 > (unsigned long)cases * 8) {
        fail("fnmatch", "%lu losses in %d cases", off_native_losses - before, cases * 8);
    }
}

// ---- what a fast path asks about

extern struct off_native_range {
    const char *start;
    size_t length;
} off_native_ranges[];
extern int off_native_count;

// Calls function k, the model or the real one; a result as a number.
static long call(int k, int model, char *a, char *b, int c, size_t n) {
    char *end = a;
    long v;
#define CALL(name) (model ? OFF(name) : name)
    switch (k) {
    case 0: return (long)CALL(strlen)(a);
    case 1: return (long)CALL(strnlen)(a, n);
    case 2: return sign(CALL(strcmp)(a, b));
    case 3: return sign(CALL(strncmp)(a, b, n));
    case 4: return sign(CALL(strcasecmp)(a, b));
    case 5: return sign(CALL(strncasecmp)(a, b, n));
    case 6: return (long)CALL(strchr)(a, c);
    case 7: return (long)CALL(strrchr)(a, c);
    case 8: return (long)CALL(strchrnul)(a, c);
    case 9: return (long)CALL(memchr)(a, c, n);
    case 10: return (long)CALL(memrchr)(a, c, n);
    case 11: return (long)CALL(memmem)(a, n, b, n % 3);
    case 12: return (long)CALL(strstr)(a, b);
    case 13: return (long)CALL(strcasestr)(a, b);
    case 14: return (long)CALL(strspn)(a, b);
    case 15: return (long)CALL(strcspn)(a, b);
    case 16: return (long)CALL(strpbrk)(a, b);
    case 17: return sign(CALL(memcmp)(a, b, n));
    case 18: return sign(CALL(strcoll)(a, b));
    case 19: return (long)CALL(rawmemchr)(a, 0);
    case 20: return CALL(fnmatch)(a, b, c & FNM_CASEFOLD);
    case 21: v = CALL(strtol)(a, &end, c % 37); break;
    default: v = (long)CALL(strtoul)(a, &end, c % 37); break;
    }
    return v * 100 + (end - a);
}

// The result must not change with bytes the model did not ask about.
static void test_ranges(void) {
    enum { N = 24 };
    for (int k = 0; k < 23; k++) {
        EACH {
            char a[N + 8], b[N + 8];
            for (int i = 0; i < N; i++) {
                a[i] = k >= 21 ? " -+00xX1fz9\t"[below(12)] : "aAb*["[below(5)];
                b[i] = below(6) ? a[i] : "aAb*["[below(5)];
                a[i] = below(8) ? a[i] : 0;
                b[i] = below(8) ? b[i] : 0;
            }
            memset(a + N, 0, 8);
            memset(b + N, 0, 8);
            int c = "aAb0\0\x10"[below(6)] & 127;
            size_t n = below(N);
            int mode = off_native_concrete;
            off_native_concrete = 1;
            off_native_count = 0;
            long x = call(k, 1, a, b, c, n);
            for (int i = 0; i < N; i++) {
                int asked_a = 0, asked_b = 0;
                for (int j = 0; j < off_native_count; j++) {
                    const struct off_native_range *r = &off_native_ranges[j];
                    asked_a |= a + i >= r->start && a + i < r->start + r->length;
                    asked_b |= b + i >= r->start && b + i < r->start + r->length;
                }
                if (!asked_a) {
                    a[i] = any_char();
                }
                if (!asked_b) {
                    b[i] = any_char();
                }
            }
            off_native_concrete = mode;
            long y = call(k, 0, a, b, c, n);
            if (x != y) {
                fail("ranges", "function %d: %ld, then %ld", k, x, y);
            }
        }
    }
}

// ---- all

int main(int argc, char **argv) {
    if (argc > 1) {
        cases = atoi(argv[1]);
    }
    setvbuf(stdout, 0, _IOLBF, 0);
    libc = dlopen("libc.so.6", RTLD_NOW);
    c_locale = newlocale(LC_ALL_MASK, "C", 0);
    make_slots();
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {{"compare", test_compare}, {"search", test_search},   {"tokens", test_tokens},
                 {"copies", test_copies},   {"overflow", test_overflow}, {"bits", test_bits},
                 {"ctype", test_ctype},     {"numbers", test_numbers}, {"sort", test_sort},
                 {"getopt", test_getopt},   {"fnmatch", test_fnmatch}, {"ranges", test_ranges}};
    for (int mode = 0; mode < 3; mode++) {
        // The last round in C.UTF-8.
        off_native_concrete = mode;
        if (!setlocale(LC_ALL, mode == 2 ? "C.UTF-8" : "C")) {
            printf("no locale C.UTF-8\n");
        }
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
            if (argc < 3 || !strcmp(argv[2], tests[i].name)) {
                tests[i].run();
            }
        }
    }
    printf("%llu cases, %d failures\n", total, failures);
    return failures != 0;
}
