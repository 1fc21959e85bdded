// Multibyte characters: the models against glibc.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <uchar.h>
#include <wchar.h>

#include "native.h"

wint_t m_btowc(int);
int m_wctob(wint_t);
int m_mblen(const char *, size_t);
int m_mbtowc(wchar_t *, const char *, size_t);
int m_wctomb(char *, wchar_t);
int m_mbsinit(const mbstate_t *);
size_t m_mbrlen(const char *, size_t, mbstate_t *);
size_t m_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t m_mbrtoc32(char32_t *, const char *, size_t, mbstate_t *);
size_t m_c32rtomb(char *, char32_t, mbstate_t *);
size_t m_wcrtomb(char *, wchar_t, mbstate_t *);
size_t m_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t m_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t m_mbstowcs(wchar_t *, const char *, size_t);
size_t m_wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
size_t m_wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
size_t m_wcstombs(char *, const wchar_t *, size_t);

static int cases;

// Mostly well-formed, with wrong, cut and overlong characters mixed in. Never an inner 0.
static size_t generate(char *s, unsigned most) {
    size_t n = 0;
    unsigned count = random_below(most + 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = random_below(16);
        if (kind < 5) {
            s[n++] = (char)(1 + random_below(127));
        } else if (kind < 6) {
            s[n++] = (char)(128 + random_below(128));
        } else {
            static const unsigned char lead[] = {0xc2, 0xc3, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4,
                                                 0xf5, 0xf7, 0xf8, 0xf9, 0xfb, 0xfc, 0xfd, 0xfe, 0xc0, 0xc1};
            unsigned char c = lead[random_below(random_below(4) ? 10 : sizeof lead)];
            unsigned more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf8 ? 3 : c < 0xfc ? 4 : 5;
            s[n++] = (char)c;
            if (random_below(12) == 0) {
                more = random_below(more + 1);
            }
            for (unsigned k = 0; k < more; k++) {
                static const unsigned char next[] = {0x80, 0x84, 0x88, 0x8f, 0x90, 0x9f, 0xa0, 0xbf};
                s[n++] = (char)(random_below(40) ? random_below(2) ? next[random_below(8)] : 0x80 + random_below(64)
                                                 : 1 + random_below(255));
            }
        }
    }
    s[n] = 0;
    return n;
}

static wchar_t generate_wide(void) {
    static const uint32_t edges[] = {0x7f,      0x80,       0x7ff,       0x800,     0xd7ff,   0xd800,   0xdfff,
                                     0xe000,    0xffff,     0x10000,     0x10ffff,  0x110000, 0x1fffff, 0x200000,
                                     0x3ffffff, 0x4000000, 0x7fffffff, 0x80000000u, 0xffffffffu};
    switch (random_below(6)) {
    case 0: return (wchar_t)edges[random_below(sizeof edges / sizeof *edges)];
    case 1: return (wchar_t)random_below(0xffffffffu);
    case 2: return (wchar_t)random_below(0x110000);
    case 3: return (wchar_t)random_below(0x1000);
    default: return (wchar_t)random_below(128);
    }
}

static void complain(const char *what, const char *text, size_t n, size_t a, size_t b, int ea, int eb) {
    fprintf(stderr, "%s", what);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, " %02x", (unsigned char)text[i]);
    }
    fprintf(stderr, ": model %zd errno %d, glibc %zd errno %d\n", a, ea, b, eb);
    failed();
}

// A call with its own memory for each side; then everything must be the same.
struct side {
    mbstate_t state;
    wchar_t wide[24];
    char bytes[64];
    const void *from;
    size_t result;
    int error;
};

static struct side model, real;

#define BOTH(what, text, n, model_call, real_call)                                                                     \
    do {                                                                                                               \
        struct side *x = &model;                                                                                       \
        errno = 0;                                                                                                     \
        x->result = (size_t)(model_call);                                                                              \
        x->error = errno;                                                                                              \
        x = &real;                                                                                                     \
        errno = 0;                                                                                                     \
        x->result = (size_t)(real_call);                                                                               \
        x->error = errno;                                                                                              \
        cases++;                                                                                                       \
        if (memcmp(&model, &real, sizeof model)) {                                                                     \
            fprintf(stderr, "state %x %x | %x %x from %td ", model.state.__count, model.state.__value.__wch,           \
                    real.state.__count, real.state.__value.__wch, (char *)model.from - (char *)real.from);             \
            complain(what, (const char *)(text), n, model.result, real.result, model.error, real.error);               \
        }                                                                                                              \
        real = model;                                                                                                  \
    } while (0)

static void fresh(void) {
    memset(&model, 0, sizeof model);
    memset(model.wide, 0x55, sizeof model.wide);
    memset(model.bytes, 0x55, sizeof model.bytes);
    real = model;
}

static void one_character(void) {
    char text[128];
    size_t n = generate(text, 2);
    fresh();
    n = random_below((unsigned)n + 2);
    if (n > 0 && random_below(2)) {
        // In two steps.
        size_t k = random_below((unsigned)n + 1);
        BOTH("mbrtowc", text, k, m_mbrtowc(x->wide, text, k, &x->state), mbrtowc(x->wide, text, k, &x->state));
        if (random_below(10) == 0) {
            BOTH("mbrtowc", "", 0, m_mbrtowc(x->wide, 0, 5, &x->state), mbrtowc(x->wide, 0, 5, &x->state));
        }
        BOTH("mbrtowc", text + k, n - k, m_mbrtowc(x->wide, text + k, n - k, &x->state),
             mbrtowc(x->wide, text + k, n - k, &x->state));
        BOTH("mbsinit", "", 0, m_mbsinit(&x->state), mbsinit(&x->state) != 0);
        return;
    }
    BOTH("mbrtowc", text, n, m_mbrtowc(x->wide, text, n, &x->state), mbrtowc(x->wide, text, n, &x->state));
    fresh();
    BOTH("mbrtoc32", text, n, m_mbrtoc32((char32_t *)x->wide, text, n, &x->state),
         mbrtoc32((char32_t *)x->wide, text, n, &x->state));
    fresh();
    BOTH("mbrlen", text, n, m_mbrlen(text, n, &x->state), mbrlen(text, n, &x->state));
    fresh();
    BOTH("mbrlen0", text, n, m_mbrlen(text, n, NULL), mbrlen(text, n, NULL));
    fresh();
    BOTH("mbrtowc0", text, n, m_mbrtowc(x->wide, text, n, NULL), mbrtowc(x->wide, text, n, NULL));
    fresh();
    BOTH("mblen", text, n, m_mblen(text, n), mblen(text, n));
    fresh();
    BOTH("mbtowc", text, n, m_mbtowc(x->wide, text, n), mbtowc(x->wide, text, n));
    if (random_below(8) == 0) {
        BOTH("mbtowc", text, 0, m_mbtowc(x->wide, NULL, n), mbtowc(x->wide, NULL, n));
        BOTH("mblen", text, 0, m_mblen(NULL, n), mblen(NULL, n));
        BOTH("wctomb", text, 0, m_wctomb(NULL, 5), wctomb(NULL, 5));
        BOTH("mbrlen", text, 0, m_mbrlen(NULL, 3, &x->state), mbrlen(NULL, 3, &x->state));
    }
    wchar_t w = generate_wide();
    fresh();
    BOTH("wcrtomb", &w, 4, m_wcrtomb(x->bytes, w, &x->state), wcrtomb(x->bytes, w, &x->state));
    fresh();
    BOTH("c32rtomb", &w, 4, m_c32rtomb(x->bytes, (char32_t)w, NULL), c32rtomb(x->bytes, (char32_t)w, NULL));
    fresh();
    BOTH("wctomb", &w, 4, m_wctomb(x->bytes, w), wctomb(x->bytes, w));
    BOTH("wcrtomb", &w, 4, m_wcrtomb(NULL, w, &x->state), wcrtomb(NULL, w, &x->state));
    BOTH("wctob", &w, 4, m_wctob((wint_t)w), wctob((wint_t)w));
    int c = (int)random_below(400) - 100;
    BOTH("btowc", &c, 4, (int)m_btowc(c), (int)btowc(c));
}

static void strings(void) {
    char text[128];
    size_t n = generate(text, 8), room = random_below(20), part = random_below((unsigned)n + 3);
    int null = random_below(4) == 0;
    fresh();
    model.from = real.from = text;
    if (random_below(4) == 0 && text[0]) {
        // Begin in the middle of a character.
        size_t k = random_below(3) + 1;
        if (k > n) {
            k = n;
        }
        BOTH("mbrtowc", text, k, m_mbrtowc(x->wide, text, k, &x->state), mbrtowc(x->wide, text, k, &x->state));
        if (model.result == (size_t)-2) {
            model.from = real.from = text + k;
            if (part > k) {
                part -= k;
            }
        }
    }
    mbstate_t state = model.state;
    const void *from = model.from;
    BOTH("mbsrtowcs", text, n, m_mbsrtowcs(null ? NULL : x->wide, (const char **)&x->from, room, &x->state),
         mbsrtowcs(null ? NULL : x->wide, (const char **)&x->from, room, &x->state));
    fresh();
    model.state = real.state = state;
    model.from = real.from = from;
    BOTH(null ? "mbsnrtowcs0" : "mbsnrtowcs", text, part,
         m_mbsnrtowcs(null ? NULL : x->wide, (const char **)&x->from, part, room, &x->state),
         mbsnrtowcs(null ? NULL : x->wide, (const char **)&x->from, part, room, &x->state));
    fresh();
    BOTH("mbstowcs", text, n, m_mbstowcs(null ? NULL : x->wide, text, room),
         mbstowcs(null ? NULL : x->wide, text, room));

    wchar_t wide[12];
    size_t k = random_below(10);
    for (size_t i = 0; i < k; i++) {
        do {
            wide[i] = generate_wide();
        } while (!wide[i]);
        if ((uint32_t)wide[i] > 0x110000 && random_below(8)) {
            wide[i] = 'x';
        }
    }
    wide[k] = 0;
    room = random_below(48);
    part = random_below((unsigned)k + 3);
    fresh();
    model.from = real.from = wide;
    BOTH("wcsrtombs", wide, k * 4, m_wcsrtombs(null ? NULL : x->bytes, (const wchar_t **)&x->from, room, &x->state),
         wcsrtombs(null ? NULL : x->bytes, (const wchar_t **)&x->from, room, &x->state));
    fresh();
    model.from = real.from = wide;
    BOTH(null ? "wcsnrtombs0" : "wcsnrtombs", wide, k * 4,
         m_wcsnrtombs(null ? NULL : x->bytes, (const wchar_t **)&x->from, part, room, &x->state),
         wcsnrtombs(null ? NULL : x->bytes, (const wchar_t **)&x->from, part, room, &x->state));
    fresh();
    BOTH("wcstombs", wide, k * 4, m_wcstombs(null ? NULL : x->bytes, wide, room),
         wcstombs(null ? NULL : x->bytes, wide, room));
}

int main(void) {
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (int l = 0; l < 2; l++) {
        setlocale(LC_ALL, locales[l]);
        for (int i = 0; i < 40000; i++) {
            off_native_concrete = i % 4 ? 0 : 2;
            one_character();
            strings();
        }
    }
    printf("multibyte: %d cases, %d failures\n", cases, failures);
    return failures != 0;
}
