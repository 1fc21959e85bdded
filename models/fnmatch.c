// fnmatch.h: file name patterns of bytes; extended patterns, collating elements and multibyte text go to libc.
#include "locale_c.h"

#include <fnmatch.h>
#include <stdlib.h>

RAW(int, fnmatch, (const char *, const char *, int));
RAW(char *, getenv, (const char *));
RAW(size_t, strlen, (const char *));

typedef unsigned char byte;

enum bracket { TAKEN, REFUSED, NO_BRACKET, NOT_MODELLED };

static int fold(int c, int flags) {
    if (flags & FNM_CASEFOLD) {
        return c_fold(c);
    }
    return c;
}

// The class of this name; 12 if there is none. Names are those of is...() in the order of `member`.
static int class_of(const byte *name, size_t n) {
    static const char names[][8] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                    "lower", "print", "punct", "space", "upper", "xdigit"};
    int k = 0;
    for (; k < 12; k++) {
        size_t i = 0;
        while (i < n && i < 7 && names[k][i] == (char)name[i]) {
            i++;
        }
        if (i == n && names[k][n] == 0) {
            break;
        }
    }
    return k;
}

static unsigned member(int c, int class) {
    switch (class) {
    case 0:
        return c_isalnum(c);
    case 1:
        return c_isalpha(c);
    case 2:
        return c_isblank(c);
    case 3:
        return c_iscntrl(c);
    case 4:
        return c_isdigit(c);
    case 5:
        return c_isgraph(c);
    case 6:
        return c_islower(c);
    case 7:
        return c_isprint(c);
    case 8:
        return c_ispunct(c);
    case 9:
        return c_isspace(c);
    case 10:
        return c_isupper(c);
    default:
        return c_isxdigit(c);
    }
}

// Is byte c in the bracket expression behind p? *end is set to what follows it.
static enum bracket bracket(const byte *p, int c, int flags, const byte **end) {
    int negated = *p == '!' || (*p == '^' && !raw_getenv("POSIXLY_CORRECT"));
    int escapes = !(flags & FNM_NOESCAPE);
    // One data term: a byte of the string costs one constraint.
    unsigned hit = 0;
    p += negated;
    for (int first = 1;; first = 0) {
        int low = *p++;
        if (low == ']' && !first) {
            break;
        }
        if (low == 0) {
            // No end: an ordinary character.
            return NO_BRACKET;
        }
        if (low == '[' && (*p == '=' || *p == '.')) {
            return NOT_MODELLED;
        }
        if (low == '[' && *p == ':') {
            size_t n = 0;
            while (c_islower(p[1 + n])) {
                n++;
            }
            if (p[1 + n] == ':' && p[2 + n] == ']') {
                int class = class_of(p + 1, n);
                if (class == 12) {
                    return hit ? NOT_MODELLED : REFUSED;
                }
                hit |= member(c, class);
                p += n + 3;
                continue;
            }
            return NOT_MODELLED;
        }
        if (low == '\\' && escapes) {
            low = *p++;
            if (low == 0) {
                return REFUSED;
            }
        }
        int f = fold(c, flags), high = low;
        if (*p == '-' && p[1] != ']') {
            high = p[1];
            p += 2;
            if (high == 0) {
                // A range without an end is an error, which is not noticed if a byte before it has matched.
                hit |= (unsigned)(fold(low, flags) == f);
                return hit ? NO_BRACKET : REFUSED;
            }
            if (high == '[' && (*p == '.' || *p == '=' || *p == ':')) {
                return NOT_MODELLED;
            }
            if (high == '\\' && escapes) {
                high = *p++;
                if (high == 0) {
                    return REFUSED;
                }
            }
        }
        low = fold(low, flags);
        high = fold(high, flags);
        hit |= (unsigned)(low <= f) & (unsigned)(f <= high);
    }
    *end = p;
    if (hit != (unsigned)negated) {
        return TAKEN;
    }
    return REFUSED;
}

// Gives 0, FNM_NOMATCH, or -1 if this is not modelled. Only the last star needs to be remembered: what an earlier one
// could take in addition, the last one can take as well.
static int match(const byte *p, const byte *s, int flags) {
    const byte *star = 0, *taken = 0;
    int path = flags & FNM_PATHNAME, period = flags & FNM_PERIOD;
    for (;;) {
        const byte *next = p + 1;
        int fits = 0;
        if (*p == 0) {
            if (*s == 0) {
                return 0;
            }
            if ((flags & FNM_LEADING_DIR) && *s == '/') {
                return 0;
            }
        } else if (*p == '*') {
            if (period && *s == '.') {
                // No star before can help: it ends before a slash or is not there.
                return FNM_NOMATCH;
            }
            for (; *p == '*' || *p == '?'; p++) {
                if (*p == '?') {
                    if (*s == 0 || (path && *s == '/')) {
                        return FNM_NOMATCH;
                    }
                    s++;
                }
            }
            // glibc does not find an escaped slash here.
            if (path && !(flags & FNM_NOESCAPE) && p[0] == '\\' && p[1] == '/') {
                return FNM_NOMATCH;
            }
            // Nor does it forget `period` before the star takes its first byte, even if question marks took some.
            star = p;
            taken = s;
            continue;
        } else if (*s != 0) {
            int hidden = period && *s == '.';
            if (*p == '?') {
                fits = !(path && *s == '/') && !hidden;
            } else if (*p == '[') {
                enum bracket b = REFUSED;
                if (!hidden && !(path && *s == '/')) {
                    b = bracket(next, *s, flags, &next);
                }
                if (b == NOT_MODELLED) {
                    return -1;
                }
                fits = b == TAKEN || (b == NO_BRACKET && *s == '[');
            } else {
                int c = *p;
                if (c == '\\' && !(flags & FNM_NOESCAPE)) {
                    c = *next++;
                    if (c == 0) {
                        return FNM_NOMATCH;
                    }
                }
                if (fold(c, flags) == fold(*s, flags)) {
                    fits = 1;
                }
            }
        }
        if (fits) {
            // A slash in the pattern, that is; not an escaped one.
            period = path && *p == '/' ? flags & FNM_PERIOD : 0;
            p = next;
            s++;
            continue;
        }
        if (!star || *taken == 0 || (path && *taken == '/')) {
            return FNM_NOMATCH;
        }
        taken++;
        s = taken;
        p = star;
        period = 0;
    }
}

static int ascii(const char *s) {
    for (; *s; s++) {
        if ((byte)*s >= 128) {
            return 0;
        }
    }
    return 1;
}

static int extended(const char *p) {
    for (; *p; p++) {
        if (p[1] == '(' && (*p == '?' || *p == '*' || *p == '+' || *p == '@' || *p == '!')) {
            return 1;
        }
    }
    return 0;
}

MODEL(int, fnmatch)(const char *pattern, const char *s, int flags) {
    if (VALUES(V(pattern), V(s), V(flags)) && __off_concrete(pattern, raw_strlen(pattern) + 1) &&
        __off_concrete(s, raw_strlen(s) + 1)) {
        return raw_fnmatch(pattern, s, flags);
    }
    if (c_ctype() && c_category(LC_COLLATE) && !((flags & FNM_EXTMATCH) && extended(pattern)) &&
        (MB_CUR_MAX == 1 || (ascii(pattern) && ascii(s)))) {
        int r = match((const byte *)pattern, (const byte *)s, flags);
        if (r >= 0) {
            return r;
        }
    }
    __off_loss("fnmatch");
    return raw_fnmatch(pattern, s, flags);
}
