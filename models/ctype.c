// ctype.h: classes and case of bytes.
#include "locale_c.h"

// In a locale of other classes the real function answers, and what it does with a symbolic byte is lost.
#define CLASS(name, mask)                                                                                              \
    RAW(int, is##name, (int));                                                                                         \
    RAW(int, is##name##_l, (int, locale_t));                                                                           \
    static inline int class_##name(int c, locale_t l) {                                                                \
        if (!c_ctype_l(l)) {                                                                                           \
            __off_loss("is" #name "_l");                                                                               \
            return raw_is##name##_l(c, l);                                                                             \
        }                                                                                                              \
        return (int)(c_is##name(c) * mask);                                                                            \
    }                                                                                                                  \
    MODEL(int, is##name)(int c) {                                                                                      \
        if (!c_ctype()) {                                                                                              \
            __off_loss("is" #name);                                                                                    \
            return raw_is##name(c);                                                                                    \
        }                                                                                                              \
        return (int)(c_is##name(c) * mask);                                                                            \
    }                                                                                                                  \
    MODEL(int, is##name##_l)(int c, locale_t l) {                                                                      \
        return class_##name(c, l);                                                                                     \
    }                                                                                                                  \
    MODEL(int, __is##name##_l)(int c, locale_t l) {                                                                    \
        return class_##name(c, l);                                                                                     \
    }

CLASS(alnum, _ISalnum)
CLASS(alpha, _ISalpha)
CLASS(blank, _ISblank)
CLASS(cntrl, _IScntrl)
CLASS(digit, _ISdigit)
CLASS(graph, _ISgraph)
CLASS(lower, _ISlower)
CLASS(print, _ISprint)
CLASS(punct, _ISpunct)
CLASS(space, _ISspace)
CLASS(upper, _ISupper)
CLASS(xdigit, _ISxdigit)

RAW(int, isctype, (int, int));

static inline int classes(int c, int mask) {
    if (!c_ctype()) {
        __off_loss("isctype");
        return raw_isctype(c, mask);
    }
    return (int)c_classes(c) & mask;
}

MODEL(int, isctype)(int c, int mask) {
    return classes(c, mask);
}

MODEL(int, __isctype)(int c, int mask) {
    return classes(c, mask);
}

RAW(int, toupper, (int));
RAW(int, tolower, (int));
RAW(int, toupper_l, (int, locale_t));
RAW(int, tolower_l, (int, locale_t));

// glibc's tables also have the negative values of a signed char, and give the unsigned char for them; not for EOF.
static inline int other(int c) {
    if (c < -1 && c >= -128) {
        return c + 256;
    }
    return c;
}

static inline int upper(int c) {
    if (c >= 'a' && c <= 'z') {
        return c - 32;
    }
    return other(c);
}

static inline int lower(int c) {
    if (c >= 'A' && c <= 'Z') {
        return c + 32;
    }
    return other(c);
}

#define CASE(direction)                                                                                                \
    static inline int direction##_l(int c, locale_t l) {                                                               \
        if (!c_ctype_l(l)) {                                                                                           \
            __off_loss("to" #direction "_l");                                                                          \
            return raw_to##direction##_l(c, l);                                                                        \
        }                                                                                                              \
        return direction(c);                                                                                           \
    }                                                                                                                  \
    MODEL(int, to##direction)(int c) {                                                                                 \
        if (!c_ctype()) {                                                                                              \
            __off_loss("to" #direction);                                                                               \
            return raw_to##direction(c);                                                                               \
        }                                                                                                              \
        return direction(c);                                                                                           \
    }                                                                                                                  \
    MODEL(int, _to##direction)(int c) {                                                                                \
        if (!c_ctype()) {                                                                                              \
            __off_loss("_to" #direction);                                                                              \
            return raw_to##direction(c);                                                                               \
        }                                                                                                              \
        return direction(c);                                                                                           \
    }                                                                                                                  \
    MODEL(int, to##direction##_l)(int c, locale_t l) {                                                                 \
        return direction##_l(c, l);                                                                                    \
    }                                                                                                                  \
    MODEL(int, __to##direction##_l)(int c, locale_t l) {                                                               \
        return direction##_l(c, l);                                                                                    \
    }

CASE(upper)
CASE(lower)

MODEL(int, isascii)(int c) {
    return (c & ~0x7f) == 0;
}

MODEL(int, __isascii_l)(int c, locale_t l) {
    (void)l;
    return (c & ~0x7f) == 0;
}

MODEL(int, toascii)(int c) {
    return c & 0x7f;
}

MODEL(int, __toascii_l)(int c, locale_t l) {
    (void)l;
    return c & 0x7f;
}
