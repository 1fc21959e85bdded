// Character classes of the C and C.UTF-8 locales as arithmetic, and the question whether the locale in force has them.
#ifndef OFF_LOCALE_C_H
#define OFF_LOCALE_C_H

#include "model.h"

#include <ctype.h>
#include <locale.h>

// first <= c < first + count, as a data term.
static inline unsigned c_in(int c, int first, unsigned count) {
    return (unsigned)c - (unsigned)first < count;
}

static inline unsigned c_isupper(int c) {
    return c_in(c, 'A', 26);
}

static inline unsigned c_islower(int c) {
    return c_in(c, 'a', 26);
}

static inline unsigned c_isalpha(int c) {
    return c_in(c | 32, 'a', 26);
}

static inline unsigned c_isdigit(int c) {
    return c_in(c, '0', 10);
}

static inline unsigned c_isalnum(int c) {
    return c_isalpha(c) | c_isdigit(c);
}

static inline unsigned c_isxdigit(int c) {
    return c_isdigit(c) | c_in(c | 32, 'a', 6);
}

static inline unsigned c_isspace(int c) {
    return c_in(c, '\t', 5) | c_in(c, ' ', 1);
}

static inline unsigned c_isblank(int c) {
    return c_in(c, '\t', 1) | c_in(c, ' ', 1);
}

static inline unsigned c_isprint(int c) {
    return c_in(c, ' ', 95);
}

static inline unsigned c_isgraph(int c) {
    return c_in(c, '!', 94);
}

static inline unsigned c_iscntrl(int c) {
    return c_in(c, 0, 32) | c_in(c, 127, 1);
}

static inline unsigned c_ispunct(int c) {
    return c_isgraph(c) & (c_isalnum(c) ^ 1);
}

// tolower of an unsigned char, as a data term.
static inline int c_fold(int c) {
    return c + 32 * (int)c_isupper(c);
}

static inline unsigned c_classes(int c) {
    return c_isupper(c) * _ISupper | c_islower(c) * _ISlower | c_isalpha(c) * _ISalpha | c_isdigit(c) * _ISdigit |
           c_isxdigit(c) * _ISxdigit | c_isspace(c) * _ISspace | c_isprint(c) * _ISprint | c_isgraph(c) * _ISgraph |
           c_isblank(c) * _ISblank | c_iscntrl(c) * _IScntrl | c_ispunct(c) * _ISpunct | c_isalnum(c) * _ISalnum;
}

// Do these tables say what the functions above say? The answer for the last tables asked about is kept.
static inline int c_tables(const unsigned short *classes, const int *upper, const int *lower) {
    static _Thread_local const void *seen[3];
    static _Thread_local int answer;
    if (seen[0] == classes && seen[1] == upper && seen[2] == lower) {
        return answer;
    }
    int same = 1;
    for (int c = 0; c < 256; c++) {
        same &= classes[c] == c_classes(c) && lower[c] == c_fold(c) && upper[c] == c - 32 * (int)c_islower(c);
    }
    seen[0] = classes;
    seen[1] = upper;
    seen[2] = lower;
    answer = same;
    return same;
}

// Does the calling thread's locale classify bytes as the C locale does? So do C.UTF-8 and most UTF-8 locales.
static inline int c_ctype(void) {
    return c_tables(*__ctype_b_loc(), (const int *)*__ctype_toupper_loc(), (const int *)*__ctype_tolower_loc());
}

static inline int c_ctype_l(locale_t l) {
    return c_tables(l->__ctype_b, l->__ctype_toupper, l->__ctype_tolower);
}

RAW(locale_t, uselocale, (locale_t));
RAW(char *, setlocale, (int, const char *));

static inline int c_locale_name(const char *n) {
    static const char names[][12] = {"C", "POSIX", "C.UTF-8", "C.utf8"};
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; names[k][i] == n[i]; i++) {
            if (n[i] == 0) {
                return 1;
            }
        }
    }
    return 0;
}

// Is this category of the locale the C or the C.UTF-8 one?
static inline int c_category_l(int category, locale_t l) {
    return c_locale_name(l->__names[category]);
}

static inline int c_category(int category) {
    locale_t l = raw_uselocale(0);
    return l == LC_GLOBAL_LOCALE ? c_locale_name(raw_setlocale(category, 0)) : c_category_l(category, l);
}

#endif
