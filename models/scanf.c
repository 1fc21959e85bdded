// The scanf family: one engine over a string or a stream. As in glibc: one character of push-back, numbers saturate
// as strtol does, and what was read of a directive that fails in its middle is gone.
#include "codeset.h"
#include "locale_c.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

RAW(int, vsscanf, (const char *, const char *, va_list));
RAW(int, vfscanf, (FILE *, const char *, va_list));
RAW(int, __isoc99_vsscanf, (const char *, const char *, va_list));
RAW(int, __isoc99_vfscanf, (FILE *, const char *, va_list));
RAW(size_t, strlen, (const char *));
RAW(size_t, wcslen, (const wchar_t *));
RAW(size_t, mbrlen, (const char *, size_t, mbstate_t *));

// Interceptors of the run-time library.
int OFF(getc)(FILE *);
int OFF(ungetc)(int, FILE *);

double off_model_strtod(const char *, char **) __attribute__((visibility("hidden")));
float off_model_strtof(const char *, char **) __attribute__((visibility("hidden")));
long double off_model_strtold(const char *, char **) __attribute__((visibility("hidden")));

// GNU: "%as" allocates. C23: binary numbers.
enum dialect { GNU, C99, C23 };

#if __GLIBC_PREREQ(2, 38)
RAW(int, __isoc23_vsscanf, (const char *, const char *, va_list));
RAW(int, __isoc23_vfscanf, (FILE *, const char *, va_list));
#endif

// ---- the reader

struct reader {
    FILE *file; // or NULL:
    const char *s;
    int count;  // characters read
    int ended;  // there are no more
    int error;  // errno when that was found; asking again brings it back
};

static int get(struct reader *r) {
    int c;
    if (r->ended) {
        errno = r->error;
        return EOF;
    }
    if (r->file) {
        c = OFF(getc)(r->file);
        if (c == EOF) {
            r->ended = 1;
        }
    } else {
        c = (unsigned char)*r->s;
        if (c == 0) {
            r->ended = 1;
        } else {
            r->s++;
        }
    }
    if (r->ended) {
        r->error = errno;
        return EOF;
    }
    r->count++;
    return c;
}

static void unget(struct reader *r, int c) {
    if (r->ended) {
        return;
    }
    r->count--;
    if (r->file) {
        OFF(ungetc)(c, r->file);
    } else {
        r->s--;
    }
}

static void skip_space(struct reader *r) {
    int c;
    do {
        c = get(r);
    } while (!r->ended && c_isspace(c));
    unget(r, c);
}

// ---- a text of any length

struct text {
    char *bytes;
    size_t length, room;
    char fixed[128];
};

static void text_begin(struct text *t) {
    t->bytes = t->fixed;
    t->length = 0;
    t->room = sizeof t->fixed;
}

static void text_end(struct text *t) {
    if (t->bytes != t->fixed) {
        OFF(free)(t->bytes);
    }
}

static int text_add(struct text *t, int c) {
    if (t->length == t->room) {
        char *more = OFF(malloc)(2 * t->room);
        if (!more) {
            return 0;
        }
        __off_copy(more, t->bytes, t->length);
        text_end(t);
        t->bytes = more;
        t->room *= 2;
    }
    t->bytes[t->length++] = (char)c;
    return 1;
}

// ---- the format

enum size { PLAIN, CHAR, SHORT, LONG, LONG_LONG };

struct directive {
    int position; // "%2$d", or 0
    int suppress, allocate;
    int width;    // or -1
    enum size size;
    unsigned char conversion;
};

static int format_number(const char **f) {
    int n = 0;
    while (c_isdigit((unsigned char)**f)) {
        int d = *(*f)++ - '0';
        if (n >= 0 && (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, d, &n))) {
            n = -1;
        }
    }
    return n;
}

// f is behind the '%'; gives what follows the conversion character, or the format's end.
static const char *parse(const char *f, struct directive *d, enum dialect dialect) {
    *d = (struct directive){.width = 0};
    int flags = 1;
    if (c_isdigit((unsigned char)*f)) {
        d->width = format_number(&f);
        if (*f == '$') {
            d->position = d->width;
            d->width = 0;
            f++;
        } else {
            flags = 0;
        }
    }
    if (flags) {
        // Grouping and other digits: the locales we know have neither.
        for (; *f == '*' || *f == '\'' || *f == 'I'; f++) {
            if (*f == '*') {
                d->suppress = 1;
            }
        }
        if (c_isdigit((unsigned char)*f)) {
            d->width = format_number(&f);
        }
    }
    if (d->width == 0) {
        d->width = -1;
    }
    switch (*f) {
    case 'h':
        f++;
        d->size = SHORT;
        if (*f == 'h') {
            f++;
            d->size = CHAR;
        }
        break;
    case 'l':
        f++;
        d->size = LONG;
        if (*f == 'l') {
            f++;
            d->size = LONG_LONG;
        }
        break;
    case 'q':
    case 'L':
        f++;
        d->size = LONG_LONG;
        break;
    case 'j':
    case 'z':
    case 't':
        f++;
        d->size = LONG;
        break;
    case 'm':
        f++;
        d->allocate = 1;
        if (*f == 'l') {
            f++;
            d->size = LONG;
        }
        break;
    case 'a':
        if (dialect == GNU && (f[1] == 's' || f[1] == 'S' || f[1] == '[')) {
            f++;
            d->allocate = 1;
        }
        break;
    }
    d->conversion = (unsigned char)*f;
    return *f ? f + 1 : f;
}

// f is behind the '['; gives what follows the ']', or NULL.
static const char *set_past(const char *f) {
    if (*f == '^') {
        f++;
    }
    if (*f == ']' || *f == '-') {
        f++;
    }
    for (; *f; f++) {
        if (*f == ']') {
            return f + 1;
        }
    }
    return NULL;
}

// Does the set match c? f is behind the '[', and the set has an end.
static int set_takes(const char *f, int c) {
    int answer = 1;
    const unsigned char *p = (const unsigned char *)f;
    if (*p == '^') {
        answer = 0;
        p++;
    }
    if (*p == ']' || *p == '-') {
        if (c == *p) {
            return answer;
        }
        p++;
    }
    for (; *p != ']'; p++) {
        if (*p == '-' && p[1] != ']' && p[-1] <= p[1]) {
            if (c >= p[-1]) {
                if (c < p[1]) {
                    return answer;
                }
            }
        } else if (c == *p) {
            return answer;
        }
    }
    return !answer;
}

static int is_wide(const struct directive *d) {
    switch (d->conversion) {
    case 'S':
    case 'C':
        return 1;
    case 's':
    case 'c':
    case '[':
        return d->size == LONG || d->size == LONG_LONG;
    }
    return 0;
}

enum { MODELLED = 1, ALLOCATES = 2 };

// Can the engine do all of this format?
static int survey(const char *f, enum dialect dialect) {
    int facts = MODELLED;
    while (*f) {
        if (*f++ != '%') {
            continue;
        }
        struct directive d;
        f = parse(f, &d, dialect);
        if (d.position || is_wide(&d)) {
            facts &= ~MODELLED;
        }
        if (d.allocate) {
            facts |= ALLOCATES;
        }
        if (d.conversion == '[') {
            f = set_past(f);
            if (!f) {
                break;
            }
        }
    }
    return facts;
}

static size_t integer_size(enum size size) {
    switch (size) {
    case CHAR:
        return sizeof(char);
    case SHORT:
        return sizeof(short);
    case LONG:
        return sizeof(long);
    case LONG_LONG:
        return sizeof(long long);
    default:
        return sizeof(int);
    }
}

static void clear_string(void *p, int wide) {
    if (p) {
        __off_clear(p, wide ? (raw_wcslen(p) + 1) * sizeof(wchar_t) : raw_strlen(p) + 1);
    }
}

// The real function has assigned `done` of the directives: their targets are concrete now. (A "%n" behind the last
// of them counts as assigned; whether it was cannot be seen.)
static void clear_targets(const char *f, va_list arguments, enum dialect dialect, int done) {
    va_list ap;
    va_copy(ap, arguments);
    while (*f) {
        if (*f++ != '%') {
            continue;
        }
        struct directive d;
        const char *set = f = parse(f, &d, dialect);
        if (d.conversion == '[') {
            f = set_past(set);
            if (!f) {
                break;
            }
        }
        if (d.suppress || d.conversion == '%') {
            continue;
        }
        if (d.conversion != 'n' && done-- <= 0) {
            break;
        }
        void *p;
        if (d.position) {
            va_list all;
            va_copy(all, arguments);
            do {
                p = va_arg(all, void *);
            } while (--d.position > 0);
            va_end(all);
        } else {
            p = va_arg(ap, void *);
        }
        size_t n = d.width < 0 ? 1 : (size_t)d.width;
        switch (d.conversion) {
        case 's':
        case 'S':
        case '[':
            if (d.allocate) {
                __off_clear(p, sizeof p);
                p = *(void **)p;
            }
            clear_string(p, is_wide(&d));
            break;
        case 'c':
        case 'C':
            if (d.allocate) {
                __off_clear(p, sizeof p);
                p = *(void **)p;
            }
            __off_clear(p, n * (is_wide(&d) ? sizeof(wchar_t) : 1));
            break;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            __off_clear(p, d.size == LONG_LONG ? 10 : d.size == LONG ? sizeof(double) : sizeof(float));
            break;
        case 'p':
            __off_clear(p, sizeof(void *));
            break;
        default:
            __off_clear(p, integer_size(d.size));
        }
    }
    va_end(ap);
}

// ---- conversions

// How a directive ends. EMPTY: no input. MISMATCH: other input. FULL: no memory.
enum result { DONE, EMPTY, MISMATCH, FULL };

static void store(void *to, enum size size, uint64_t v) {
    switch (size) {
    case CHAR:
        *(unsigned char *)to = (unsigned char)v;
        break;
    case SHORT:
        *(unsigned short *)to = (unsigned short)v;
        break;
    case LONG:
        *(unsigned long *)to = v;
        break;
    case LONG_LONG:
        *(unsigned long long *)to = v;
        break;
    default:
        *(unsigned *)to = (unsigned)v;
    }
}

// Is c a digit of the base? Leaves its value.
static int digit(int c, unsigned base, unsigned *value) {
    if (c_isdigit(c)) {
        *value = (unsigned)c - '0';
        return *value < base;
    }
    if (base == 16) {
        if (c_in(c | 32, 'a', 6)) {
            *value = ((unsigned)c | 32) - 'a' + 10;
            return 1;
        }
    }
    return 0;
}

static int letter(int c, char lower) {
    return (c | 32) == lower;
}

struct accumulator {
    uint64_t value, limit;
    uint64_t largest; // the largest number of as many digits
    unsigned base;
    int overflow;
};

static void accumulate(struct accumulator *a, unsigned d) {
    if (a->largest <= (a->limit - (a->base - 1)) / a->base) {
        // No number of so many digits is too large.
        a->largest = a->largest * a->base + (a->base - 1);
    } else {
        a->largest = a->limit;
        if (!a->overflow) {
            if (a->value > a->limit / a->base) {
                a->overflow = 1;
            } else if (a->value == a->limit / a->base) {
                if (d > a->limit % a->base) {
                    a->overflow = 1;
                }
            }
        }
    }
    if (!a->overflow) {
        a->value = a->value * a->base + d;
    }
}

static enum result integer(struct reader *r, const struct directive *how, unsigned base, int is_signed, int pointer,
                           int binary, uint64_t *value) {
    int width = how->width, negative = 0, sign = 0, digits = 0;
    unsigned d;
    int c = get(r);
    if (r->ended) {
        return EMPTY;
    }
    if (c == '-') {
        negative = sign = 1;
    } else if (c == '+') {
        sign = 1;
    }
    if (sign) {
        if (width > 0) {
            width--;
        }
        c = get(r);
    }
    // From here on c can be the end: EOF is no digit and no letter.
    if (width != 0 && c == '0') {
        digits = 1;
        if (width > 0) {
            width--;
        }
        c = get(r);
        if (width != 0 && (base == 0 || base == 16) && !r->ended && letter(c, 'x')) {
            base = 16;
            if (width > 0) {
                width--;
            }
            c = get(r);
        } else if (width != 0 && binary && (base == 0 || base == 2) && !r->ended && letter(c, 'b')) {
            base = 2;
            if (width > 0) {
                width--;
            }
            c = get(r);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) {
        base = 10;
    }
    struct accumulator a = {.base = base, .limit = UINT64_MAX};
    if (is_signed) {
        a.limit = (uint64_t)INT64_MAX + (unsigned)negative;
    }
    while (width != 0 && !r->ended && digit(c, base, &d)) {
        digits = 1;
        accumulate(&a, d);
        if (width > 0) {
            width--;
        }
        c = get(r);
    }
    if (!digits) {
        if (pointer && !sign && (width < 0 || width >= 5) && !r->ended && c == '(') {
            static const char rest[] = "nil)";
            for (int i = 0; i < 4; i++) {
                c = get(r);
                if (r->ended || (rest[i] == ')' ? c != ')' : !letter(c, rest[i]))) {
                    unget(r, c);
                    return MISMATCH;
                }
            }
            *value = 0;
            return DONE;
        }
        unget(r, c);
        return MISMATCH;
    }
    unget(r, c);
    if (a.overflow) {
        errno = ERANGE;
        *value = a.limit;
        // The limit of a signed number is that of its sign.
        if (is_signed && negative) {
            *value = -a.limit;
        }
        return DONE;
    }
    *value = negative ? -a.value : a.value;
    return DONE;
}

// The next character of a word like "nan", in either case: 1.
static int expect(struct reader *r, struct text *t, int *width, char lower) {
    if (*width == 0) {
        return 0;
    }
    int c = get(r);
    if (r->ended) {
        return 0;
    }
    if (!letter(c, lower)) {
        return 0;
    }
    if (*width > 0) {
        --*width;
    }
    return text_add(t, c);
}

// Reads what looks like a floating-point number.
static enum result real_text(struct reader *r, int width, struct text *t) {
    size_t sign = 0;
    int c = get(r);
    if (r->ended) {
        return EMPTY;
    }
    if (width > 0) {
        width--;
    }
    if (c == '-') {
        sign = 1;
    } else if (c == '+') {
        sign = 1;
    }
    if (sign) {
        if (!text_add(t, c)) {
            return FULL;
        }
        if (width == 0) {
            return MISMATCH;
        }
        c = get(r);
        if (r->ended) {
            return MISMATCH;
        }
        if (width > 0) {
            width--;
        }
    }
    if (letter(c, 'n')) {
        return text_add(t, c) && expect(r, t, &width, 'a') && expect(r, t, &width, 'n') ? DONE : MISMATCH;
    }
    if (letter(c, 'i')) {
        if (!text_add(t, c) || !expect(r, t, &width, 'n') || !expect(r, t, &width, 'f')) {
            return MISMATCH;
        }
        if (width == 0) {
            return DONE;
        }
        c = get(r);
        if (r->ended) {
            return DONE;
        }
        if (!letter(c, 'i')) {
            unget(r, c);
            return DONE;
        }
        if (width > 0) {
            width--;
        }
        for (const char *rest = "nity"; *rest; rest++) {
            if (!expect(r, t, &width, *rest)) {
                return MISMATCH;
            }
        }
        return DONE;
    }
    int hexadecimal = 0, digits = 0, point = 0, exponent = 0, sign_allowed = 0;
    if (width != 0 && c == '0') {
        if (!text_add(t, c)) {
            return FULL;
        }
        c = get(r);
        if (width > 0) {
            width--;
        }
        if (width != 0 && !r->ended && letter(c, 'x')) {
            hexadecimal = 1;
            if (!text_add(t, c)) {
                return FULL;
            }
            c = get(r);
            if (width > 0) {
                width--;
            }
        } else {
            digits = 1;
        }
    }
    while (!r->ended) {
        int had_mark = sign_allowed;
        sign_allowed = 0;
        if (c_isdigit(c)) {
            digits = 1;
        } else if (!exponent && hexadecimal && c_in(c | 32, 'a', 6)) {
            digits = 1;
        } else if (had_mark && (c == '-' || c == '+')) {
            // The exponent's sign.
        } else if (digits && !exponent && letter(c, hexadecimal ? 'p' : 'e')) {
            exponent = point = sign_allowed = 1;
        } else if (!point && c == '.') {
            point = 1;
        } else {
            unget(r, c);
            break;
        }
        if (!text_add(t, c)) {
            return FULL;
        }
        if (width == 0) {
            break;
        }
        c = get(r);
        if (width > 0) {
            width--;
        }
    }
    if (t->length == sign || (hexadecimal && t->length == 2 + sign)) {
        return MISMATCH;
    }
    return DONE;
}

// `to` is NULL for a directive that does not assign.
static enum result real(struct reader *r, const struct directive *how, void *to) {
    struct text t;
    char *end = NULL;
    text_begin(&t);
    enum result result = real_text(r, how->width, &t);
    if (result == DONE && !text_add(&t, 0)) {
        result = FULL;
    }
    if (result == DONE) {
        if (how->size == LONG_LONG) {
            long double v = off_model_strtold(t.bytes, &end);
            if (to && end != t.bytes) {
                *(long double *)to = v;
            }
        } else if (how->size == LONG) {
            double v = off_model_strtod(t.bytes, &end);
            if (to && end != t.bytes) {
                *(double *)to = v;
            }
        } else {
            float v = off_model_strtof(t.bytes, &end);
            if (to && end != t.bytes) {
                *(float *)to = v;
            }
        }
        if (end == t.bytes) {
            result = MISMATCH;
        }
    }
    text_end(&t);
    return result;
}

// Characters, words and sets. `to` is a buffer, or, if the directive allocates, where the pointer goes, or NULL.
static enum result characters(struct reader *r, const struct directive *how, const char *set, void *to) {
    struct text t;
    char *plain = how->allocate ? NULL : to, **allocated = how->allocate ? to : NULL;
    int width = how->width, any = 0;
    if (how->conversion == 'c' && width < 0) {
        width = 1;
    }
    text_begin(&t);
    enum result result = DONE;
    int c = get(r);
    if (r->ended) {
        result = EMPTY;
    }
    while (!r->ended) {
        if (how->conversion == 's' && c_isspace(c)) {
            unget(r, c);
            break;
        }
        if (how->conversion == '[' && !set_takes(set, c)) {
            unget(r, c);
            break;
        }
        any = 1;
        if (plain) {
            *plain++ = (char)c;
        } else if (allocated && !text_add(&t, c)) {
            result = FULL;
            break;
        }
        if (width > 0 && --width == 0) {
            break;
        }
        c = get(r);
    }
    if (result == DONE && !any) {
        result = MISMATCH;
    }
    if (result == DONE && how->conversion != 'c') {
        if (plain) {
            *plain = 0;
        } else if (allocated && !text_add(&t, 0)) {
            result = FULL;
        }
    }
    if (allocated) {
        char *p = NULL;
        if (result == DONE) {
            p = OFF(malloc)(t.length);
            if (p) {
                __off_copy(p, t.bytes, t.length);
            } else {
                result = FULL;
            }
        }
        *allocated = p;
    }
    text_end(&t);
    return result;
}

// One directive behind the '%'. *assigned is set if it counts.
static enum result convert(struct reader *r, const struct directive *how, const char *set, va_list *ap,
                           enum dialect dialect, int *assigned) {
    uint64_t v;
    enum result result = DONE;
    int base = -1, is_signed = 0, pointer = 0, c;
    enum size size = how->size;
    *assigned = 0;
    switch (how->conversion) {
    case '%':
        c = get(r);
        if (r->ended) {
            return EMPTY;
        }
        if (c != '%') {
            unget(r, c);
            return MISMATCH;
        }
        return DONE;
    case 'n':
        if (!how->suppress) {
            store(va_arg(*ap, void *), size, (uint64_t)r->count);
        }
        return DONE;
    case 'c':
    case 's':
    case '[':
        result = characters(r, how, set, how->suppress ? NULL : va_arg(*ap, void *));
        *assigned = !how->suppress;
        return result;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        result = real(r, how, how->suppress ? NULL : va_arg(*ap, void *));
        *assigned = !how->suppress;
        return result;
    case 'd':
        base = 10;
        is_signed = 1;
        break;
    case 'i':
        base = 0;
        is_signed = 1;
        break;
    case 'u':
        base = 10;
        break;
    case 'o':
        base = 8;
        break;
    case 'x':
    case 'X':
        base = 16;
        break;
    case 'p':
        base = 16;
        pointer = 1;
        size = LONG;
        break;
    case 'b':
        if (dialect == C23) {
            base = 2;
        }
        break;
    }
    if (base < 0) {
        return MISMATCH;
    }
    result = integer(r, how, (unsigned)base, is_signed, pointer, dialect == C23, &v);
    if (result == DONE && !how->suppress) {
        store(va_arg(*ap, void *), size, v);
        *assigned = 1;
    }
    return result;
}

struct arguments {
    va_list list;
};

static int engine(struct reader *r, const char *f, va_list arguments, enum dialect dialect) {
    int done = 0, spaces = 0, c;
    enum result result = DONE;
    mbstate_t state = {0};
    struct arguments ap;
    va_copy(ap.list, arguments);
    while (*f) {
        unsigned char fc = (unsigned char)*f;
        if (fc >= 128) {
            // A whole character, and without the space that a directive before it may have asked to skip.
            int n = (int)raw_mbrlen(f, raw_strlen(f), &state);
            if (n > 0) {
                for (; n > 0 && result == DONE; n--, f++) {
                    c = get(r);
                    if (r->ended) {
                        result = EMPTY;
                    } else if (c != (unsigned char)*f) {
                        unget(r, c);
                        result = MISMATCH;
                    }
                }
                if (result != DONE) {
                    break;
                }
                continue;
            }
        }
        f++;
        if (c_isspace(fc)) {
            spaces = 1;
            continue;
        }
        if (fc != '%') {
            if (spaces) {
                skip_space(r);
                spaces = 0;
            }
            c = get(r);
            if (r->ended) {
                result = EMPTY;
                break;
            }
            if (c != fc) {
                unget(r, c);
                result = MISMATCH;
                break;
            }
            continue;
        }
        struct directive d;
        int assigned;
        f = parse(f, &d, dialect);
        if (!d.conversion) {
            result = MISMATCH;
            break;
        }
        if (spaces || (d.conversion != '[' && d.conversion != 'c' && d.conversion != 'n')) {
            int before = errno;
            errno = 0;
            skip_space(r);
            errno = before;
            spaces = 0;
        }
        const char *set = f;
        if (d.conversion == '[') {
            f = set_past(set);
            if (!f) {
                if (d.allocate && !d.suppress) {
                    *va_arg(ap.list, char **) = NULL;
                }
                result = MISMATCH;
                break;
            }
        }
        result = convert(r, &d, set, &ap.list, dialect, &assigned);
        if (result != DONE) {
            break;
        }
        done += assigned;
    }
    if (result == DONE && spaces) {
        skip_space(r);
    }
    va_end(ap.list);
    if (result == FULL || (result == EMPTY && done == 0)) {
        return EOF;
    }
    return done;
}

static int real_vsscanf(const char *s, const char *f, va_list ap, enum dialect dialect) {
    va_list copy;
    va_copy(copy, ap);
    int n;
#if __GLIBC_PREREQ(2, 38)
    if (dialect == C23) {
        n = raw___isoc23_vsscanf(s, f, copy);
    } else
#endif
    {
        n = dialect == GNU ? raw_vsscanf(s, f, copy) : raw___isoc99_vsscanf(s, f, copy);
    }
    va_end(copy);
    clear_targets(f, ap, dialect, n);
    return n;
}

static int real_vfscanf(FILE *file, const char *f, va_list ap, enum dialect dialect) {
    va_list copy;
    va_copy(copy, ap);
    int n;
#if __GLIBC_PREREQ(2, 38)
    if (dialect == C23) {
        n = raw___isoc23_vfscanf(file, f, copy);
    } else
#endif
    {
        n = dialect == GNU ? raw_vfscanf(file, f, copy) : raw___isoc99_vfscanf(file, f, copy);
    }
    va_end(copy);
    clear_targets(f, ap, dialect, n);
    return n;
}

static int known(int facts) {
    return facts & MODELLED && codeset() != CODESET_OTHER && c_ctype() &&
           codeset_equal(raw_nl_langinfo(RADIXCHAR), ".") && codeset_equal(raw_nl_langinfo(THOUSEP), "");
}

static int scan_string(const char *s, const char *f, va_list ap, enum dialect dialect) {
    int facts = survey(f, dialect);
    if (!(facts & ALLOCATES) && VALUES(V(s), V(f)) && __off_concrete(s, raw_strlen(s) + 1) &&
        __off_concrete(f, raw_strlen(f) + 1)) {
        return real_vsscanf(s, f, ap, dialect);
    }
    if (!known(facts)) {
        __off_loss("sscanf");
        return real_vsscanf(s, f, ap, dialect);
    }
    struct reader r = {.s = s};
    return engine(&r, f, ap, dialect);
}

static int scan_file(FILE *file, const char *f, va_list ap, enum dialect dialect) {
    int facts = survey(f, dialect);
    if (!known(facts)) {
        __off_loss("fscanf");
        return real_vfscanf(file, f, ap, dialect);
    }
    struct reader r = {.file = file};
    return engine(&r, f, ap, dialect);
}

// ---- the names

#define STRING(name, vname, dialect)                                                                                   \
    MODEL(int, name)(const char *s, const char *f, ...) {                                                              \
        va_list ap;                                                                                                    \
        va_start(ap, f);                                                                                               \
        int n = scan_string(s, f, ap, dialect);                                                                        \
        va_end(ap);                                                                                                    \
        return n;                                                                                                      \
    }                                                                                                                  \
    MODEL(int, vname)(const char *s, const char *f, va_list ap) {                                                      \
        return scan_string(s, f, ap, dialect);                                                                         \
    }

#define STREAM(name, vname, dialect)                                                                                   \
    MODEL(int, name)(FILE * file, const char *f, ...) {                                                                \
        va_list ap;                                                                                                    \
        va_start(ap, f);                                                                                               \
        int n = scan_file(file, f, ap, dialect);                                                                       \
        va_end(ap);                                                                                                    \
        return n;                                                                                                      \
    }                                                                                                                  \
    MODEL(int, vname)(FILE * file, const char *f, va_list ap) {                                                        \
        return scan_file(file, f, ap, dialect);                                                                        \
    }

#define STDIN(name, vname, dialect)                                                                                    \
    MODEL(int, name)(const char *f, ...) {                                                                             \
        va_list ap;                                                                                                    \
        va_start(ap, f);                                                                                               \
        int n = scan_file(stdin, f, ap, dialect);                                                                      \
        va_end(ap);                                                                                                    \
        return n;                                                                                                      \
    }                                                                                                                  \
    MODEL(int, vname)(const char *f, va_list ap) {                                                                     \
        return scan_file(stdin, f, ap, dialect);                                                                       \
    }

STRING(sscanf, vsscanf, GNU)
STRING(__isoc99_sscanf, __isoc99_vsscanf, C99)
STRING(_IO_sscanf, __vsscanf, GNU)
STREAM(fscanf, vfscanf, GNU)
STREAM(__isoc99_fscanf, __isoc99_vfscanf, C99)
STDIN(scanf, vscanf, GNU)
STDIN(__isoc99_scanf, __isoc99_vscanf, C99)
#if __GLIBC_PREREQ(2, 38)
STRING(__isoc23_sscanf, __isoc23_vsscanf, C23)
STREAM(__isoc23_fscanf, __isoc23_vfscanf, C23)
STDIN(__isoc23_scanf, __isoc23_vscanf, C23)
#endif
