// The scanf family: the models against glibc, on strings and on streams.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>

#include "native.h"

int m_sscanf(const char *, const char *, ...);
int m_fscanf(FILE *, const char *, ...);
int m___isoc99_sscanf(const char *, const char *, ...);
int m___isoc99_fscanf(FILE *, const char *, ...);

// The sanitizer's interceptors do not understand all of our formats: everybody goes around them, the models by the
// linker's --wrap.
static void *libc_function(const char *name) {
    static void *libc;
    if (!libc) {
        libc = dlopen("libc.so.6", RTLD_NOW);
    }
    return dlsym(libc, name);
}

#define AROUND(type, name, variadic)                                                                           \
    int __wrap_##name(type in, const char *f, va_list ap);                                                             \
    int __wrap_##name(type in, const char *f, va_list ap) {                                                            \
        static int (*real_one)(type, const char *, va_list);                                                           \
        if (!real_one) {                                                                                               \
            real_one = (int (*)(type, const char *, va_list))libc_function(#name);                                     \
        }                                                                                                              \
        return real_one(in, f, ap);                                                                                    \
    }                                                                                                                  \
    static int variadic(type in, const char *f, ...) {                                                                 \
        va_list ap;                                                                                                    \
        va_start(ap, f);                                                                                               \
        int n = __wrap_##name(in, f, ap);                                                                              \
        va_end(ap);                                                                                                    \
        return n;                                                                                                      \
    }

AROUND(const char *, vsscanf, gnu_sscanf)
AROUND(FILE *, vfscanf, gnu_fscanf)
AROUND(const char *, __isoc99_vsscanf, c99_sscanf)
AROUND(FILE *, __isoc99_vfscanf, c99_fscanf)

int m_getc(FILE *f) {
    return getc(f);
}

int m_ungetc(int c, FILE *f) {
    return ungetc(c, f);
}

#define SLOTS 8
#define SLOT 256

struct side {
    _Alignas(16) char slots[SLOTS][SLOT];
    int result, error, next, ended;
    long position;
};

static struct side model, real;
static int allocates[SLOTS]; // 1: a string, 2: characters

static void add_number(char *out, unsigned most, const char *digits) {
    unsigned n = random_below(most + 1);
    for (unsigned i = 0; i < n; i++) {
        char d[2] = {digits[random_below((unsigned)strlen(digits))], 0};
        strcat(out, d);
    }
}

static void add_space(char *out) {
    strcat(out, PICK("", "", "", " ", "  ", "\n", "\t "));
}

// A format, and an input that is near it.
static void generate(char *f, char *in) {
    unsigned n = 1 + random_below(4);
    int wide = random_below(40) == 0, strange = random_below(6) == 0;
    f[0] = in[0] = 0;
    if (random_below(200) == 0) {
        strcpy(f, PICK("%1$d %2$s", "%2$d %1$d", "%2$*d", "%1$n%2$5c"));
        strcpy(in, PICK("12 34", "12 ab", "x"));
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        int suppress = random_below(8) == 0;
        if (random_below(5) == 0) {
            const char *s = PICK("x", ",", "ab", "\xc3\xa9", "\xe9", "%%", "1", "]");
            strcat(f, s);
            add_space(in);
            strcat(in, *s == '%' ? "%" : s);
        }
        if (random_below(3) == 0) {
            strcat(f, PICK(" ", "\n", "  \t"));
        }
        add_space(in);
        char w[16] = "";
        if (random_below(4) == 0) {
            sprintf(w, "%u", random_below(9));
        }
        strcat(f, "%");
        if (suppress) {
            strcat(f, "*");
        } else if (random_below(30) == 0) {
            strcat(f, PICK("'", "I"));
        }
        strcat(f, w);
        switch (random_below(12)) {
        case 0:
        case 1:
        case 2:
        case 3: {
            strcat(f, PICK("", "", "", "h", "hh", "l", "ll", "j", "z", "t", "q", "L"));
            const char *c = PICK("d", "d", "i", "i", "u", "x", "X", "o", "p");
            strcat(f, c);
            strcat(in, PICK("", "", "", "-", "+", "-+"));
            if (*c == 'p' && random_below(3) == 0) {
                strcat(in, PICK("(nil)", "(NIL)", "(nix", "(ni", "(", "(nil"));
                break;
            }
            strcat(in, PICK("", "", "", "0", "0x", "0X", "00", "0b"));
            add_number(in, random_below(5) ? 6 : 26,
                       *c == 'x' || *c == 'p' ? "0123456789abcdefABCDEF" : "0123456789789");
            if (random_below(10) == 0) {
                strcat(in, PICK("9223372036854775807", "9223372036854775808", "18446744073709551615", "4294967295",
                                "18446744073709551616", "ffffffffffffffff", "10000000000000000", "2147483648"));
            }
            break;
        }
        case 4:
        case 5: {
            strcat(f, PICK("", "l", "l", "l", "L", "h", "z"));
            strcat(f, PICK("f", "e", "g", "a", "F", "E", "G", "A"));
            strcat(in, PICK("", "", "-", "+", "--"));
            switch (random_below(5)) {
            case 0:
                strcat(in, PICK("inf", "INF", "infinity", "infinit", "infinix", "in", "ix", "nan", "NaN", "nan(12)",
                                "nax", "n", "infi", "INFINITYx"));
                break;
            case 1:
                strcat(in, PICK("0x", "0X", "0x."));
                add_number(in, 5, "0123456789abcdefABCDEF");
                strcat(in, PICK("", ".", "."));
                add_number(in, 5, "0123456789abcdefABCDEF");
                strcat(in, PICK("", "p", "P3", "p-2", "p+", "p+-1", "pp"));
                break;
            default:
                add_number(in, random_below(8) ? 5 : 30, "0123456789");
                strcat(in, PICK("", ".", ".", "..", "0x"));
                add_number(in, 5, "0123456789");
                strcat(in, PICK("", "", "e", "E3", "e-2", "e+", "e+-1", "ee", "e400", "e-400", "e1.5", "p1"));
            }
            break;
        }
        case 6:
            if (random_below(4) == 0) {
                strcat(f, PICK("m", "m", "a", "h"));
            }
            strcat(f, "c");
            strcat(in, PICK("a", "bcd", " ", "\n", "abcdefgh", "\xc3\xa9"));
            break;
        case 7:
        case 8:
            if (random_below(4) == 0) {
                strcat(f, PICK("m", "m", "a"));
            }
            strcat(f, "s");
            strcat(in, PICK("a", "word", "wordwordword", "\xc3\xa9" "cole", "\xe9", "x1,", "-1"));
            break;
        case 9:
        case 10:
            if (random_below(4) == 0) {
                strcat(f, PICK("m", "m", "a"));
            }
            strcat(f, PICK("[", "[", "[^"));
            strcat(f, PICK("", "", "", "]", "-", "^"));
            for (unsigned k = random_below(4) + 1; k > 0; k--) {
                strcat(f, PICK("a", "abc", "a-z", "z-a", "0-9", " ", "A-Z", "^", "-", "\xe0-\xff", "\xc3\xa9", "a-c-e",
                               "."));
            }
            strcat(f, strange && random_below(4) == 0 ? "" : "]");
            strcat(in, PICK("a", "abc", "xyz", "a b", "09", "-", "]", "^", "\xe9", "\xc3\xa9", "[", "ABC", "Q"));
            break;
        default:
            strcat(f, PICK("", "", "l", "h", "hh", "ll", "j"));
            strcat(f, "n");
        }
        if (strange && random_below(3) == 0) {
            strcat(f, PICK("%y", "%", "%5", "%ly", "%5*d", "%lhd", "%m", "%md", "%mld", "%99999999999d", "% d",
                           "%D", "%hld"));
        }
        if (wide && random_below(2) == 0) {
            strcat(f, PICK("%lc", "%ls", "%S", "%C", "%l[a-z]"));
        }
        if (random_below(12) == 0) {
            strcat(in, PICK("x", "%", "\xc3", "#", "1", "\v"));
        }
    }
    if (random_below(4) == 0) {
        strcat(f, PICK(" ", "\n", "x", " x", "%n"));
    }
    if (random_below(4) == 0) {
        strcat(in, PICK(" ", "\n", "x", " x", "\t\t"));
    }
    if (random_below(10) == 0) {
        in[random_below((unsigned)strlen(in) + 1)] = 0;
    }
}

// Which slots hold pointers to allocated memory? The same walk as scanf's, on well-formed formats.
static void find_allocations(const char *f, int gnu) {
    int slot = 0;
    memset(allocates, 0, sizeof allocates);
    for (; *f; f++) {
        if (*f != '%') {
            continue;
        }
        f++;
        int suppress = 0, allocate = 0, digits = 0;
        while (*f >= '0' && *f <= '9') {
            digits = 1;
            f++;
        }
        while (!digits && (*f == '*' || *f == '\'' || *f == 'I')) {
            suppress |= *f++ == '*';
        }
        while (*f >= '0' && *f <= '9') {
            f++;
        }
        if (*f == 'm' || (*f == 'a' && gnu && (f[1] == 's' || f[1] == 'S' || f[1] == '['))) {
            allocate = 1;
            f++;
            if (*f == 'l' && f[-1] == 'm') {
                f++;
            }
        } else {
            if (*f == 'h' || *f == 'l') {
                f += f[1] == f[0] ? 2 : 1;
            } else if (*f && strchr("qLjzt", *f)) {
                f++;
            }
        }
        if (!*f || !strchr("diuxXopfegaFEGAcs[nSC%", *f)) {
            return;
        }
        if (!suppress && *f != '%') {
            if (slot == SLOTS) {
                return;
            }
            if (allocate && strchr("cs[SC", *f)) {
                allocates[slot] = *f == 'c' || *f == 'C' ? 2 : 1;
            }
            slot++;
        }
        if (*f == '[') {
            f++;
            if (*f == '^') {
                f++;
            }
            if (*f) {
                f++;
            }
            while (*f && *f != ']') {
                f++;
            }
            if (!*f) {
                return;
            }
        }
    }
}

#define ARGUMENTS(x)                                                                                                   \
    (x)->slots[0], (x)->slots[1], (x)->slots[2], (x)->slots[3], (x)->slots[4], (x)->slots[5], (x)->slots[6],           \
        (x)->slots[7]

// Allocated memory becomes what it holds; nothing else may differ.
static void open_allocations(struct side *x) {
    for (int i = 0; i < SLOTS; i++) {
        char *p;
        memcpy(&p, x->slots[i], sizeof p);
        if (!allocates[i] || !p || (uintptr_t)p == 0x5555555555555555u) {
            continue;
        }
        if (allocates[i] == 1) {
            memset(x->slots[i], 0, 8);
            strcpy(x->slots[i], p);
        } else {
            x->slots[i][0] = p[0];
            memset(x->slots[i] + 1, 0, 7);
        }
        free(p);
    }
}

static int cases, assigned;

int main(void) {
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (int l = 0; l < 2; l++) {
        setlocale(LC_ALL, locales[l]);
        for (int i = 0; i < 150000; i++) {
            char f[512], in[512];
            generate(f, in);
            int stream = i % 3 == 0, gnu = i % 5 == 0, wide = strchr(f, 'S') || strstr(f, "%C") || strstr(f, "%l");
            find_allocations(f, gnu);
            if (wide && (strchr(f, 'm') || gnu)) {
                continue;
            }
            char *s = strdup(in), *format = strdup(f);
            for (int side = 0; side < 2; side++) {
                struct side *x = side ? &real : &model;
                memset(x, 0, sizeof *x);
                memset(x->slots, 0x55, sizeof x->slots);
                FILE *file = NULL;
                if (stream) {
                    file = fmemopen(*s ? s : (char *)"z", *s ? strlen(s) : 1, "r");
                    if (!*s) {
                        fseek(file, 0, SEEK_END);
                    }
                }
                off_native_concrete = i % 8 ? 0 : 2;
                errno = 0;
                if (side == 0) {
                    x->result = stream ? gnu ? m_fscanf(file, format, ARGUMENTS(x))
                                             : m___isoc99_fscanf(file, format, ARGUMENTS(x))
                                       : gnu ? m_sscanf(s, format, ARGUMENTS(x))
                                             : m___isoc99_sscanf(s, format, ARGUMENTS(x));
                } else {
                    x->result = stream ? gnu ? gnu_fscanf(file, format, ARGUMENTS(x))
                                             : c99_fscanf(file, format, ARGUMENTS(x))
                                       : gnu ? gnu_sscanf(s, format, ARGUMENTS(x))
                                             : c99_sscanf(s, format, ARGUMENTS(x));
                }
                x->error = errno;
                if (stream) {
                    x->ended = feof(file) != 0;
                    x->position = ftell(file);
                    x->next = getc(file);
                    fclose(file);
                }
                open_allocations(x);
            }
            free(s);
            free(format);
            cases++;
            assigned += real.result > 0 ? real.result : 0;
            if (memcmp(&model, &real, sizeof model)) {
                fprintf(stderr, "%s%s ", gnu ? "gnu " : "", stream ? "stream" : "string");
                show(in);
                show(f);
                fprintf(stderr, ": model %d errno %d at %ld end %d, glibc %d errno %d at %ld end %d;", model.result,
                        model.error, model.position, model.ended, real.result, real.error, real.position, real.ended);
                for (int k = 0; k < SLOTS; k++) {
                    if (memcmp(model.slots[k], real.slots[k], SLOT)) {
                        long a, b;
                        memcpy(&a, model.slots[k], 8);
                        memcpy(&b, real.slots[k], 8);
                        fprintf(stderr, " slot %d %lx %lx", k, a, b);
                    }
                }
                fprintf(stderr, "\n");
                failed();
            }
        }
    }
    printf("scanf: %d cases, %d conversions, %d failures\n", cases, assigned, failures);
    return failures != 0;
}
