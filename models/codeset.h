// Which of the two character sets that the models know is the locale's?
#ifndef OFF_CODESET_H
#define OFF_CODESET_H

#include "model.h"

#include <langinfo.h>
#include <locale.h>

RAW(char *, nl_langinfo, (nl_item));
RAW(char *, nl_langinfo_l, (nl_item, locale_t));

enum { CODESET_C, CODESET_UTF8, CODESET_OTHER };

static inline int codeset_equal(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i]) {
        i++;
    }
    return a[i] == b[i];
}

static inline int codeset_named(const char *name) {
    if (codeset_equal(name, "ANSI_X3.4-1968")) {
        return CODESET_C;
    }
    return codeset_equal(name, "UTF-8") ? CODESET_UTF8 : CODESET_OTHER;
}

static inline int codeset(void) {
    return codeset_named(raw_nl_langinfo(CODESET));
}

// Does the locale collate by code point? (This item is a number in a pointer's clothes.)
static inline int codeset_plain_collation(void) {
    return (unsigned)(uintptr_t)raw_nl_langinfo(_NL_COLLATE_NRULES) == 0;
}

#endif
