// The printf family: the models against glibc.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <wchar.h>

#include "native.h"

int m_snprintf(char *, size_t, const char *, ...);
int m_sprintf(char *, const char *, ...);
int m_asprintf(char **, const char *, ...);
int m___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int m___sprintf_chk(char *, int, size_t, const char *, ...);
int m_printf(const char *, ...);

extern unsigned long off_native_losses;

void *m_realloc(void *p, size_t n) {
    return realloc(p, n);
}

// What the trace would get.
static char noted[8192];
static size_t noted_size;

int __off_output_wanted(int fd) {
    return fd == 1;
}

void __off_output(int fd, const void *text, size_t n) {
    (void)fd;
    memcpy(noted, text, n);
    noted_size = n;
}

static void add(char *f, const char *text) {
    strcat(f, text);
}

static void add_flags(char *f) {
    for (unsigned n = random_below(4); n > 0; n--) {
        add(f, PICK("-", "+", " ", "#", "0", "0", "-"));
    }
}

// A width or precision: none, a number, an argument. Gives back 1 for an argument.
static int add_number(char *f) {
    switch (random_below(3)) {
    case 0:
        return 0;
    case 1:
        add(f, PICK("0", "1", "2", "3", "7", "12", "20", "70"));
        return 0;
    default:
        add(f, "*");
        return 1;
    }
}

static uintmax_t random_value(void) {
    uintmax_t v = ((uintmax_t)random_below(1u << 31) << 33) ^ ((uintmax_t)random_below(1u << 31) << 11) ^ random_below(4096);
    switch (random_below(8)) {
    case 0:
        return random_below(12);
    case 1:
        return 0u - (uintmax_t)random_below(12);
    case 2:
        return (uintmax_t)1 << random_below(64);
    case 3:
        return ((uintmax_t)1 << random_below(64)) - 1;
    default:
        return v >> random_below(64);
    }
}

static char a[8192], b[8192];

static void compare(const char *what, const char *f, int n, int m, int e, int g) {
    if (n != m || e != g || memcmp(a, b, sizeof a) != 0) {
        fprintf(stderr, "%s ", what);
        show(f);
        fprintf(stderr, ": %d/%d, errno %d/%d, ", n, m, e, g);
        a[200] = b[200] = 0;
        show(a);
        fprintf(stderr, " is not ");
        show(b);
        fprintf(stderr, "\n");
        failed();
    }
}

// Calls both with the same arguments; the tail is always a string, behind `stars` numbers and a value.
#define BOTH(what, f, real, model)                                                                                     \
    do {                                                                                                               \
        memset(a, 'z', sizeof a);                                                                                      \
        memset(b, 'z', sizeof b);                                                                                      \
        errno = 0;                                                                                                     \
        int m_ = real, g_ = errno;                                                                                     \
        errno = 0;                                                                                                     \
        int n_ = model, e_ = errno;                                                                                    \
        compare(what, f, n_, m_, e_, g_);                                                                              \
    } while (0)

#define CALLS(f, room, ...)                                                                                            \
    do {                                                                                                               \
        BOTH("snprintf", f, snprintf(b, room, f, __VA_ARGS__), m_snprintf(a, room, f, __VA_ARGS__));                   \
        BOTH("sprintf", f, sprintf(b, f, __VA_ARGS__), m_sprintf(a, f, __VA_ARGS__));                                  \
        BOTH("chk", f, snprintf(b, room, f, __VA_ARGS__), m___snprintf_chk(a, room, 1, sizeof a, f, __VA_ARGS__));     \
        BOTH("sprintf_chk", f, sprintf(b, f, __VA_ARGS__), m___sprintf_chk(a, 1, sizeof a, f, __VA_ARGS__));           \
        char *block = NULL;                                                                                            \
        int k = m_asprintf(&block, f, __VA_ARGS__);                                                                    \
        int l = snprintf(b, sizeof b, f, __VA_ARGS__);                                                                 \
        if (k != l || (k >= 0 && strcmp(block, b) != 0)) {                                                             \
            fprintf(stderr, "asprintf ");                                                                              \
            show(f);                                                                                                   \
            fprintf(stderr, "\n");                                                                                     \
            failed();                                                                                                  \
        }                                                                                                              \
        free(block);                                                                                                   \
    } while (0)

#define STARS(f, stars, w, p, room, ...)                                                                               \
    do {                                                                                                               \
        if (stars == 0) {                                                                                              \
            CALLS(f, room, __VA_ARGS__);                                                                               \
        } else if (stars == 1) {                                                                                       \
            CALLS(f, room, w, __VA_ARGS__);                                                                            \
        } else {                                                                                                       \
            CALLS(f, room, w, p, __VA_ARGS__);                                                                         \
        }                                                                                                              \
    } while (0)

static void one(void) {
    char f[128] = "";
    add(f, PICK("", "a", "%%b ", "x=", "\xC3\xA9 %5%"));
    add(f, "%");
    add_flags(f);
    int stars = add_number(f);
    if (random_below(2)) {
        add(f, ".");
        stars += add_number(f);
    }
    int w = (int)random_below(40) - 15, p = (int)random_below(12) - 3;
    // The macros name their arguments more than once.
    uintmax_t value = random_value(), character = 1 + random_below(127);
    void *pointer = random_below(4) ? (void *)(uintptr_t)random_value() : NULL;
    size_t room = random_below(4) ? sizeof a : random_below(12);
    const char *tail = PICK("", "tail", "a longer tail than that");
    switch (random_below(8)) {
    case 0:
        add(f, PICK("f", "g", "e", "a", "G", "F"));
        add(f, "|%s");
        double d = (double)(intmax_t)random_value() / (1 + random_below(1000));
        STARS(f, stars, w, p, room, d, tail);
        break;
    case 1:
        add(f, "Lf|%s");
        long double ld = (long double)(intmax_t)random_value() / (1 + random_below(1000));
        STARS(f, stars, w, p, room, ld, tail);
        break;
    case 2:
    case 3: {
        const char *s = random_below(10) ? PICK("", "s", "some text", "umlaut \xC3\xA4", "12345678901234567890") : NULL;
        add(f, "s|%s");
        STARS(f, stars, w, p, room, s, tail);
        break;
    }
    case 4:
        if (random_below(4) == 0) {
            const wchar_t *wide = random_below(2) ? L"wide" : L"";
            add(f, random_below(2) ? "ls|%s" : "S|%s");
            STARS(f, stars, w, p, room, wide, tail);
        } else {
            add(f, PICK("c", "c", "c", "lc"));
            add(f, "|%s");
            STARS(f, stars, w, p, room, character, tail);
        }
        break;
    case 5:
        add(f, random_below(2) ? "p|%s" : "m|%s");
        if (f[strlen(f) - 4] == 'm') {
            STARS(f, stars, w, p, room, tail);
        } else {
            STARS(f, stars, w, p, room, pointer, tail);
        }
        break;
    default:
        add(f, PICK("", "", "", "hh", "h", "l", "ll", "z", "t", "j", "q", "L"));
        add(f, PICK("d", "i", "u", "x", "X", "o"));
        add(f, "|%s");
        STARS(f, stars, w, p, room, value, tail);
        break;
    }
}

static void fixed(void) {
    int n = 0, m = 0;
    char x[64], y[64];
    snprintf(x, sizeof x, "abc%ndef%hhn", &m, (signed char *)&m + 3);
    m_snprintf(y, sizeof y, "abc%ndef%hhn", &n, (signed char *)&n + 3);
    if (n != m || strcmp(x, y) != 0) {
        fprintf(stderr, "%%n: %x %x\n", n, m);
        failed();
    }
    const char *const formats[] = {"%2$s %1$s", "%y", "%", "100%", "%'d", "%-+05d", "%#.0o", "%#.0x", "%.0d", "%5.0u|"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (i == 0) {
            CALLS(formats[i], sizeof a, "one", "two");
        } else {
            CALLS(formats[i], sizeof a, 0);
            CALLS(formats[i], sizeof a, 1234567);
        }
    }
    m_printf("printf: %d %s\n", 42, "fine");
    if (noted_size != 16 || memcmp(noted, "printf: 42 fine\n", 16) != 0) {
        fprintf(stderr, "what printf noted is wrong\n");
        failed();
    }
}

int main(int argc, char **argv) {
    int cases = argc > 1 ? atoi(argv[1]) : 30000;
    const char *const locales[] = {"C", "C.UTF-8"};
    for (int l = 0; l < 2; l++) {
        setlocale(LC_ALL, locales[l]);
        for (off_native_concrete = 0; off_native_concrete < 3; off_native_concrete++) {
            fixed();
            for (int i = 0; i < cases; i++) {
                one();
            }
        }
    }
    fprintf(stderr, "printf: %d failures\n", failures);
    return failures != 0;
}
