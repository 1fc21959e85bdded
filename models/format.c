// printf's formats. Nothing symbolic in the arguments: libc does it, which is most of the time. Otherwise the text is made
// here, character by character: strings with their shadows, integers digit by digit. Conversions without a model (floats,
// wide characters) are made by libc one at a time, and are losses if their argument was symbolic.
#include "format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

RAW(int, snprintf, (char *, size_t, const char *, ...));
RAW(size_t, strlen, (const char *));
RAW(size_t, strnlen, (const char *, size_t));
RAW(size_t, wcslen, (const wchar_t *));

void *OFF(realloc)(void *, size_t);

// ---- one conversion of a format

enum length { NONE, HH, H, L, LL, Z, T, J, LONG_DOUBLE };

struct conversion {
    char minus, plus, space, hash, zero, group;
    int width;     // -1: an argument (as read from the format)
    int precision; // -1: none, -2: an argument
    enum length length;
    char kind;
};

// Reads a conversion behind its '%'. Gives back what follows it; NULL if it is positional, or nonsense.
static const char *parse(const char *f, struct conversion *c) {
    *c = (struct conversion){.precision = -1};
    for (;; f++) {
        if (*f == '-') {
            c->minus = 1;
        } else if (*f == '+') {
            c->plus = 1;
        } else if (*f == ' ') {
            c->space = 1;
        } else if (*f == '#') {
            c->hash = 1;
        } else if (*f == '0') {
            c->zero = 1;
        } else if (*f == '\'') {
            c->group = 1;
        } else {
            break;
        }
    }
    if (*f == '*') {
        c->width = -1;
        f++;
    } else {
        for (; *f >= '0' && *f <= '9'; f++) {
            if (c->width > (INT_MAX - 9) / 10) {
                return NULL;
            }
            c->width = c->width * 10 + (*f - '0');
        }
    }
    if (*f == '.') {
        f++;
        c->precision = 0;
        if (*f == '*') {
            c->precision = -2;
            f++;
        } else {
            for (; *f >= '0' && *f <= '9'; f++) {
                if (c->precision > (INT_MAX - 9) / 10) {
                    return NULL;
                }
                c->precision = c->precision * 10 + (*f - '0');
            }
        }
    }
    switch (*f) {
    case 'h':
        c->length = *++f == 'h' ? (f++, HH) : H;
        break;
    case 'l':
        c->length = *++f == 'l' ? (f++, LL) : L;
        break;
    case 'q':
        c->length = LL;
        f++;
        break;
    case 'L':
        c->length = LONG_DOUBLE;
        f++;
        break;
    case 'z':
    case 'Z':
        c->length = Z;
        f++;
        break;
    case 't':
        c->length = T;
        f++;
        break;
    case 'j':
        c->length = J;
        f++;
        break;
    }
    c->kind = *f;
    switch (c->kind) {
    case 'C':
        c->kind = 'c';
        c->length = L;
        break;
    case 'S':
        c->kind = 's';
        c->length = L;
        break;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c': case 's': case 'p': case 'n': case 'm':
    case '%': case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        break;
    default:
        return NULL;
    }
    return f + 1;
}

static int is_float(char kind) {
    switch (kind) {
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return 1;
    default:
        return 0;
    }
}

// The argument of an integer conversion, sign-extended if it is signed.
static intmax_t signed_argument(enum length length, va_list *ap) {
    switch (length) {
    case HH:
        return (signed char)va_arg(*ap, int);
    case H:
        return (short)va_arg(*ap, int);
    case L:
        return va_arg(*ap, long);
    case LL:
    case LONG_DOUBLE:
        return va_arg(*ap, long long);
    case Z:
        return va_arg(*ap, ssize_t);
    case T:
        return va_arg(*ap, ptrdiff_t);
    case J:
        return va_arg(*ap, intmax_t);
    default:
        return va_arg(*ap, int);
    }
}

static uintmax_t unsigned_argument(enum length length, va_list *ap) {
    switch (length) {
    case HH:
        return (unsigned char)va_arg(*ap, int);
    case H:
        return (unsigned short)va_arg(*ap, int);
    case L:
        return va_arg(*ap, unsigned long);
    case LL:
    case LONG_DOUBLE:
        return va_arg(*ap, unsigned long long);
    case Z:
        return va_arg(*ap, size_t);
    case T:
        return (uintmax_t)va_arg(*ap, ptrdiff_t);
    case J:
        return va_arg(*ap, uintmax_t);
    default:
        return va_arg(*ap, unsigned);
    }
}

// ---- is there anything to do for us?

enum finding off_model_look(const char *format, va_list original) {
    if (!VALUES(V(format)) || !__off_concrete(format, raw_strlen(format) + 1)) {
        return SYMBOLIC;
    }
    enum finding finding = CONCRETE;
    va_list ap;
    va_copy(ap, original);
    for (const char *f = format; *f;) {
        if (*f++ != '%') {
            continue;
        }
        struct conversion c;
        f = parse(f, &c);
        if (!f) {
            finding = UNKNOWN;
            break;
        }
        int concrete = 1, precision = c.precision;
        if (c.width == -1) {
            int width = va_arg(ap, int);
            concrete &= VALUES(V(width));
        }
        if (c.precision == -2) {
            precision = va_arg(ap, int);
            concrete &= VALUES(V(precision));
        }
        if (c.kind == '%' || c.kind == 'm') {
            // No argument.
        } else if (c.kind == 's') {
            const char *s = va_arg(ap, const char *);
            if (!VALUES(V(s))) {
                concrete = 0;
            } else if (s && c.length == L) {
                concrete &= precision >= 0 || __off_concrete(s, (raw_wcslen((const wchar_t *)s) + 1) * sizeof(wchar_t));
            } else if (s) {
                size_t n = precision >= 0 ? raw_strnlen(s, (size_t)precision) : raw_strlen(s);
                concrete &= __off_concrete(s, n < (size_t)precision || precision < 0 ? n + 1 : n);
            }
        } else if (c.kind == 'p' || c.kind == 'n') {
            void *p = va_arg(ap, void *);
            concrete &= VALUES(V(p));
        } else if (is_float(c.kind) && c.length == LONG_DOUBLE) {
            (void)va_arg(ap, long double);
        } else if (is_float(c.kind)) {
            double d = va_arg(ap, double);
            concrete &= __off_concrete((const double[]){d}, sizeof d);
        } else {
            uintmax_t u = unsigned_argument(c.kind == 'c' ? NONE : c.length, &ap);
            concrete &= VALUES(u);
        }
        if (!concrete) {
            finding = SYMBOLIC;
        }
    }
    va_end(ap);
    return finding;
}

// ---- the text

void off_model_put(struct sink *s, char c) {
    if (s->count >= s->room && s->grows) {
        size_t room = s->room ? 2 * s->room : 64;
        char *more = OFF(realloc)(s->to, room);
        if (more) {
            s->to = more;
            s->room = room;
        } else {
            s->failed = 1;
        }
    }
    if (s->count < s->room) {
        s->to[s->count] = c;
    }
    s->count++;
}

static void pad(struct sink *s, char c, long n) {
    for (; n > 0; n--) {
        off_model_put(s, c);
    }
}

static void put_padded(struct sink *s, const struct conversion *c, const char *text, size_t n) {
    long fill = (long)c->width - (long)n;
    if (!c->minus) {
        pad(s, ' ', fill);
    }
    for (size_t i = 0; i < n; i++) {
        off_model_put(s, text[i]);
    }
    if (c->minus) {
        pad(s, ' ', fill);
    }
}

// The digits of a number, from the end of a buffer backwards. Those of an int are divided in 32 bits: much less work for
// a solver.
static char *digits_of(char *end, uintmax_t v, unsigned base, int narrow, char ten) {
    if (base == 10 && narrow) {
        uint32_t w = (uint32_t)v;
        for (; w; w /= 10) {
            *--end = (char)('0' + w % 10);
        }
    } else if (base == 10) {
        for (; v; v /= 10) {
            *--end = (char)('0' + v % 10);
        }
    } else {
        unsigned bits = base == 16 ? 4 : 3;
        for (; v; v >>= bits) {
            unsigned d = (unsigned)v & (base - 1);
            // No branch: which kind of digit it is does not matter to anyone.
            *--end = (char)('0' + d + (d > 9) * (unsigned)(ten - '0' - 10));
        }
    }
    return end;
}

static void put_number(struct sink *s, const struct conversion *c, uintmax_t v, const char *prefix, unsigned base,
                       int narrow, char ten) {
    char buffer[32], *end = buffer + sizeof buffer;
    char *start = digits_of(end, v, base, narrow, ten);
    long n = end - start, zeros = 0;
    int precision = c->precision < 0 ? 1 : c->precision;
    if (n < precision) {
        zeros = precision - n;
    }
    if (base == 8 && c->hash && zeros == 0) {
        zeros = 1;
    }
    if (base == 16 && n == 0) {
        prefix = "";
    }
    long signs = 0;
    while (prefix[signs]) {
        signs++;
    }
    long fill = c->width - (signs + zeros + n);
    if (c->zero && !c->minus && c->precision < 0 && fill > 0) {
        zeros += fill;
        fill = 0;
    }
    if (!c->minus) {
        pad(s, ' ', fill);
    }
    for (long i = 0; i < signs; i++) {
        off_model_put(s, prefix[i]);
    }
    pad(s, '0', zeros);
    for (; start < end; start++) {
        off_model_put(s, *start);
    }
    if (c->minus) {
        pad(s, ' ', fill);
    }
}

static void put_integer(struct sink *s, const struct conversion *c, va_list *ap) {
    int narrow = c->length == NONE || c->length == H || c->length == HH;
    switch (c->kind) {
    case 'd':
    case 'i': {
        intmax_t v = signed_argument(c->length, ap);
        if (v < 0) {
            uintmax_t magnitude = narrow ? 0u - (uint32_t)v : 0u - (uintmax_t)v;
            put_number(s, c, magnitude, "-", 10, narrow, 0);
        } else {
            put_number(s, c, (uintmax_t)v, c->plus ? "+" : c->space ? " " : "", 10, narrow, 0);
        }
        break;
    }
    case 'u':
        put_number(s, c, unsigned_argument(c->length, ap), "", 10, narrow, 0);
        break;
    case 'o':
        put_number(s, c, unsigned_argument(c->length, ap), "", 8, narrow, 0);
        break;
    case 'x':
        put_number(s, c, unsigned_argument(c->length, ap), c->hash ? "0x" : "", 16, narrow, 'a');
        break;
    default:
        put_number(s, c, unsigned_argument(c->length, ap), c->hash ? "0X" : "", 16, narrow, 'A');
        break;
    }
}

static void put_string(struct sink *s, const struct conversion *c, const char *text) {
    if (!text) {
        text = c->precision < 0 || c->precision >= 6 ? "(null)" : "";
    }
    size_t n = 0;
    while ((c->precision < 0 || n < (size_t)c->precision) && text[n]) {
        n++;
    }
    put_padded(s, c, text, n);
}

// One conversion made by libc: what it prints is concrete. The format is put together again, with its numbers.
static void put_raw(struct sink *s, const struct conversion *c, va_list *ap, int error) {
    char format[16], *f = format;
    *f++ = '%';
    static const char names[] = "-+ #0'";
    const char flags[] = {c->minus, c->plus, c->space, c->hash, c->zero, c->group};
    for (int i = 0; i < 6; i++) {
        if (flags[i]) {
            *f++ = names[i];
        }
    }
    *f++ = '*';
    *f++ = '.';
    *f++ = '*';
    if (is_float(c->kind)) {
        if (c->length == LONG_DOUBLE) {
            *f++ = 'L';
        }
    } else if (c->kind == 'c' || c->kind == 's') {
        *f++ = 'l';
    } else if (c->kind != 'm' && c->kind != 'p') {
        *f++ = 'j';
    }
    *f++ = c->kind;
    *f = 0;
    long double ld = 0;
    double d = 0;
    void *p = NULL;
    wint_t w = 0;
    uintmax_t u = 0;
    int concrete = 1;
    if (is_float(c->kind) && c->length == LONG_DOUBLE) {
        ld = va_arg(*ap, long double);
    } else if (is_float(c->kind)) {
        d = va_arg(*ap, double);
        concrete = __off_concrete(&d, sizeof d);
    } else if (c->kind == 'c') {
        w = va_arg(*ap, wint_t);
        concrete = VALUES(V(w));
    } else if (c->kind == 's' || c->kind == 'p') {
        p = va_arg(*ap, void *);
        concrete = VALUES(V(p)) && (c->kind == 'p' || !p || c->precision >= 0 ||
                                    __off_concrete(p, (raw_wcslen(p) + 1) * sizeof(wchar_t)));
    } else if (c->kind != 'm') {
        u = c->kind == 'd' || c->kind == 'i' ? (uintmax_t)signed_argument(c->length, ap)
                                             : unsigned_argument(c->length, ap);
        concrete = VALUES(u);
    }
    if (!concrete) {
        __off_loss("printf");
    }
    char fixed[512], *text = fixed;
    size_t room = sizeof fixed;
    for (;;) {
        int n;
        if (is_float(c->kind) && c->length == LONG_DOUBLE) {
            n = raw_snprintf(text, room, format, c->width, c->precision, ld);
        } else if (is_float(c->kind)) {
            n = raw_snprintf(text, room, format, c->width, c->precision, d);
        } else if (c->kind == 'c') {
            n = raw_snprintf(text, room, format, c->width, c->precision, w);
        } else if (c->kind == 's' || c->kind == 'p') {
            n = raw_snprintf(text, room, format, c->width, c->precision, p);
        } else if (c->kind == 'm') {
            errno = error;
            n = raw_snprintf(text, room, format, c->width, c->precision);
        } else {
            n = raw_snprintf(text, room, format, c->width, c->precision, u);
        }
        if (n < 0) {
            s->failed = 1;
        } else if ((size_t)n >= room && text == fixed) {
            room = (size_t)n + 1;
            text = OFF(malloc)(room);
            if (text) {
                continue;
            }
            s->failed = 1;
        } else {
            __off_clear(text, (size_t)n);
            for (int i = 0; i < n; i++) {
                off_model_put(s, text[i]);
            }
        }
        break;
    }
    if (text != fixed) {
        OFF(free)(text);
    }
}

static void store_count(const struct conversion *c, void *to, size_t count) {
    switch (c->length) {
    case HH:
        *(signed char *)to = (signed char)count;
        break;
    case H:
        *(short *)to = (short)count;
        break;
    case NONE:
        *(int *)to = (int)count;
        break;
    default:
        *(long *)to = (long)count;
        break;
    }
}

int off_model_print(struct sink *s, const char *f, va_list original) {
    int error = errno, understood = 1;
    va_list ap;
    va_copy(ap, original);
    while (*f) {
        if (*f != '%') {
            off_model_put(s, *f++);
            continue;
        }
        struct conversion c;
        f = parse(f + 1, &c);
        if (!f) {
            understood = 0;
            break;
        }
        if (c.width == -1) {
            c.width = va_arg(ap, int);
            if (c.width < 0) {
                c.minus = 1;
                c.width = c.width == INT_MIN ? INT_MAX : -c.width;
            }
        }
        if (c.precision == -2) {
            c.precision = va_arg(ap, int);
            if (c.precision < 0) {
                c.precision = -1;
            }
        }
        switch (c.kind) {
        case '%':
            off_model_put(s, '%');
            break;
        case 'c':
            if (c.length == L) {
                put_raw(s, &c, &ap, error);
            } else {
                char byte = (char)va_arg(ap, int);
                put_padded(s, &c, &byte, 1);
            }
            break;
        case 's':
            if (c.length == L) {
                put_raw(s, &c, &ap, error);
            } else {
                put_string(s, &c, va_arg(ap, const char *));
            }
            break;
        case 'n':
            store_count(&c, va_arg(ap, void *), s->count);
            break;
        case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
            // Grouping belongs to the locale.
            if (c.group) {
                put_raw(s, &c, &ap, error);
            } else {
                put_integer(s, &c, &ap);
            }
            break;
        default:
            put_raw(s, &c, &ap, error);
            break;
        }
    }
    va_end(ap);
    return understood;
}
