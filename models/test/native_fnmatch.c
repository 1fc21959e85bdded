// fnmatch: the model against glibc.
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <locale.h>

#include "native.h"

int m_fnmatch(const char *, const char *, int);

static void pattern(char *p, int malformed) {
    p[0] = 0;
    for (unsigned k = random_below(7); k > 0; k--) {
        switch (random_below(9)) {
        case 0:
            strcat(p, "*");
            break;
        case 1:
            strcat(p, PICK("?", "**", "*?", "?*", "\\*", "\\a", "\\.", "\\/"));
            break;
        case 2:
        case 3:
            strcat(p, PICK("[", "[", "[!", "[^"));
            for (unsigned i = random_below(3) + 1; i > 0; i--) {
                strcat(p, PICK("a", "b", "c", "A", "B", ".", "-", "/", "a-c", "A-C", "c-a", ".-/", "[:alpha:]",
                               "[:upper:]", "[:lower:]", "[:digit:]", "[:punct:]", "[.a.]", "[=b=]", "\\]", "\\b",
                               "a-\\c", "[.a.]-c", "a-[.c.]", "[", "Z-a", "\xe9", "\xe0-\xef", "!"));
                if (malformed) {
                    strcat(p, PICK("", "", "[:foo:]", "[:alpha", "[:", "[=", "[=a", "[=a=", "[.", "[.ab.]", "[.a", "\\",
                                   "a-", "[:ALPHA:]", "-[", "]", "[:]", "[::]", "[==]", "[..]", "a-[=c=]", "a-[:x:]",
                                   "[."));
                }
            }
            strcat(p, malformed && random_below(2) ? "" : "]");
            break;
        default:
            strcat(p, PICK("a", "a", "b", "b", "c", "A", "B", ".", ".", "/", "/", "-", "]", "\xe9"));
        }
    }
    if (malformed && random_below(4) == 0) {
        strcat(p, PICK("\\", "[", "[a", "[!", "[\\"));
    }
}

static void string(char *s, const char *p) {
    s[0] = 0;
    if (random_below(4) == 0) {
        for (unsigned k = random_below(8); k > 0; k--) {
            strcat(s, PICK("a", "a", "b", "b", "c", "A", "B", ".", "/", "-", "[", "]", "\xe9", "\xe5", ":", "\\"));
        }
        return;
    }
    // Something near the pattern.
    for (; *p && strlen(s) < 40; p++) {
        char c[2] = {*p, 0};
        if (*p == '*') {
            for (unsigned k = random_below(3); k > 0; k--) {
                strcat(s, PICK("a", "b", ".", "/", "c"));
            }
        } else if (*p == '?') {
            strcat(s, PICK("a", "b", ".", "/"));
        } else if (*p == '[' && random_below(8)) {
            strcat(s, PICK("a", "b", "c", "B", ".", "-", "[", "/"));
            const char *q = strrchr(p, ']');
            if (q && random_below(4)) {
                const char *r = strchr(p, ']');
                p = random_below(4) ? r : q;
            } else if (q) {
                p = q;
            }
        } else if (*p == '\\' && p[1] && random_below(8)) {
            continue;
        } else if (random_below(30)) {
            strcat(s, c);
        }
    }
    if (random_below(8) == 0) {
        strcat(s, PICK("/", "/a", "a", "."));
    }
}

static int cases, matches;

int main(void) {
    static const char *const locales[] = {"C", "C.UTF-8"};
    for (int l = 0; l < 2; l++) {
        setlocale(LC_ALL, locales[l]);
        for (int i = 0; i < 150000; i++) {
            char p[256], s[256];
            pattern(p, random_below(3) == 0);
            string(s, p);
            int flags = (int)random_below(32);
            if (random_below(50) == 0) {
                flags |= FNM_EXTMATCH;
            }
            off_native_concrete = i % 8 ? 0 : 2;
            char *pp = strdup(p), *ss = strdup(s);
            errno = 0;
            int a = m_fnmatch(pp, ss, flags), ea = errno;
            errno = 0;
            int b = fnmatch(pp, ss, flags), eb = errno;
            free(pp);
            free(ss);
            cases++;
            matches += b == 0;
            if (a != b || ea != eb) {
                fprintf(stderr, "fnmatch ");
                show(p);
                show(s);
                fprintf(stderr, " flags %d: model %d errno %d, glibc %d errno %d\n", flags, a, ea, b, eb);
                failed();
            }
        }
    }
    printf("fnmatch: %d cases, %d matches, %d failures\n", cases, matches, failures);
    return failures != 0;
}
