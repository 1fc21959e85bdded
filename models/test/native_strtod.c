// strtod, strtof, strtold: the models against glibc.
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <locale.h>

#include "native.h"

double m_strtod(const char *, char **);
float m_strtof(const char *, char **);
long double m_strtold(const char *, char **);
double m_atof(const char *);
double m_strtod_l(const char *, char **, locale_t);
float m_strtof_l(const char *, char **, locale_t);
double m___strtod_internal(const char *, char **, int);
double __strtod_internal(const char *, char **, int);

static void digits(char *out, unsigned most, int hexadecimal) {
    unsigned n = random_below(most + 1), zeros = random_below(4) == 0;
    for (unsigned i = 0; i < n; i++) {
        char d[2] = {zeros && random_below(4) ? '0' : "0123456789abcdefABCDEF"[random_below(hexadecimal ? 22 : 10)], 0};
        strcat(out, d);
    }
}

static void generate(char *out) {
    out[0] = 0;
    strcat(out, PICK("", "", "", "", " ", "\t\n", " \v\f\r", "\xa0"));
    strcat(out, PICK("", "", "", "+", "-", "-", "--"));
    switch (random_below(12)) {
    case 0:
        strcat(out, PICK("inf", "INF", "Infinity", "infinit", "in", "i", "INFINITYx", "infinite", "iNfI"));
        break;
    case 1:
        strcat(out, PICK("nan", "NaN", "nan(", "nan()", "NAN(123)", "nan(0x12)", "nan(a_z)", "nan(a-b)", "nan(1", "na",
                         "nan(0xfffffffffffffffff)", "nan(017)", "nan(12x)", "nanx", "nan)"));
        break;
    case 2:
    case 3:
        strcat(out, PICK("0x", "0X", "0x", "00x", "0x.", "x"));
        digits(out, random_below(3) ? 8 : 20, 1);
        strcat(out, PICK("", ".", ".", ".."));
        digits(out, random_below(3) ? 4 : 20, 1);
        strcat(out, PICK("", "", "p", "P", "p+", "P-", "p1", "p-3", "P+12", "p-1074", "p1023", "p99999999999", "e5"));
        if (random_below(3) == 0) {
            digits(out, 4, 0);
        }
        break;
    default:
        digits(out, random_below(3) ? 8 : 30, 0);
        strcat(out, PICK("", "", ".", ".", ".."));
        digits(out, random_below(3) ? 6 : 30, 0);
        strcat(out, PICK("", "", "", "e", "E", "e+", "E-", "e1", "e-3", "E+12", "e22", "e-22", "e23", "e308", "e-310",
                         "e-400", "e999", "e0000000000001", "e99999999999999999999", "p5", "e5.5"));
        if (random_below(3) == 0) {
            digits(out, 3, 0);
        }
    }
    strcat(out, PICK("", "", "", " ", "x", "f", "e", ",5", "\xc3\xa9"));
}

static int cases;

#define COMPARE(type, size, what, model, real)                                                                         \
    do {                                                                                                               \
        char *end_model = (char *)1, *end_real = (char *)1, **end = &end_model;                                        \
        errno = 0;                                                                                                     \
        type a = model;                                                                                                \
        int errno_model = errno;                                                                                       \
        end = &end_real;                                                                                               \
        errno = 0;                                                                                                     \
        type b = real;                                                                                                 \
        int errno_real = errno;                                                                                        \
        cases++;                                                                                                       \
        if (memcmp(&a, &b, size) || end_model != end_real || errno_model != errno_real) {                              \
            fprintf(stderr, "%s ", what);                                                                              \
            show(text);                                                                                                \
            fprintf(stderr, ": model %La +%td errno %d, glibc %La +%td errno %d\n", (long double)a, end_model - text,  \
                    errno_model, (long double)b, end_real - text, errno_real);                                         \
            failed();                                                                                                  \
        }                                                                                                              \
        (void)end;                                                                                                     \
    } while (0)

int main(void) {
    static const char *const locales[] = {"C", "C.UTF-8"};
    static const int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int l = 0; l < 2; l++) {
        setlocale(LC_ALL, locales[l]);
        locale_t here = newlocale(LC_ALL_MASK, locales[l], (locale_t)0);
        for (int i = 0; i < 60000; i++) {
            char buffer[256];
            generate(buffer);
            char *text = strdup(buffer);
            off_native_concrete = random_below(8) ? 0 : 2;
            fesetround(modes[random_below(6)]);
            COMPARE(double, 8, "strtod", m_strtod(text, end), strtod(text, end));
            COMPARE(float, 4, "strtof", m_strtof(text, end), strtof(text, end));
            COMPARE(double, 8, "atof", m_atof(text), atof(text));
            if (i % 8 == 0) {
                COMPARE(long double, 10, "strtold", m_strtold(text, end), strtold(text, end));
                COMPARE(double, 8, "strtod_l", m_strtod_l(text, end, here), strtod_l(text, end, here));
                COMPARE(float, 4, "strtof_l", m_strtof_l(text, end, here), strtof_l(text, end, here));
                COMPARE(double, 8, "__strtod_internal", m___strtod_internal(text, end, i & 8),
                        __strtod_internal(text, end, i & 8));
            }
            fesetround(FE_TONEAREST);
            free(text);
        }
        freelocale(here);
    }
    printf("strtod: %d cases, %d failures\n", cases, failures);
    return failures != 0;
}
