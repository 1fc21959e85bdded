// Effects of functions about text and numbers that have no model.
#include "effects.h"

#include <iconv.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

// ---- regular expressions

RAW(int, regcomp, (regex_t *, const char *, int));
RAW(int, regexec, (const regex_t *, const char *, size_t, regmatch_t *, int));
RAW(size_t, strnlen, (const char *, size_t));

MODEL(int, regcomp)(regex_t *to, const char *pattern, int flags) {
    string_goes(pattern, "regcomp");
    int r = raw_regcomp(to, pattern, flags);
    __off_clear(to, sizeof *to);
    return r;
}

MODEL(int, regexec)(const regex_t *expression, const char *s, size_t n, regmatch_t *matches, int flags) {
    if (flags & REG_STARTEND) {
        bytes_go(s + matches[0].rm_so, (size_t)(matches[0].rm_eo - matches[0].rm_so), "regexec");
    } else {
        string_goes(s, "regexec");
    }
    int r = raw_regexec(expression, s, n, matches, flags);
    if (r == 0 && n && matches) {
        __off_clear(matches, n * sizeof *matches);
    }
    return r;
}

FILLS(size_t, regerror, (int code, const regex_t *expression, char *to, size_t n), (code, expression, to, n), n > 0, to,
      r < n ? r : n)

// ---- code sets

RAW(size_t, iconv, (iconv_t, char **, size_t *, char **, size_t *));

MODEL(size_t, iconv)(iconv_t descriptor, char **in, size_t *in_left, char **out, size_t *out_left) {
    if (in && *in && in_left) {
        bytes_go(*in, *in_left, "iconv");
    }
    char *start = out ? *out : NULL;
    size_t r = raw_iconv(descriptor, in, in_left, out, out_left);
    if (start) {
        __off_clear(start, (size_t)(*out - start));
    }
    if (in) {
        __off_clear(in, sizeof *in);
    }
    if (in_left) {
        __off_clear(in_left, sizeof *in_left);
    }
    if (out) {
        __off_clear(out, sizeof *out);
    }
    if (out_left) {
        __off_clear(out_left, sizeof *out_left);
    }
    return r;
}

// ---- messages

RAW(char *, strerror_r, (int, char *, size_t));

MODEL(char *, strerror_r)(int code, char *to, size_t n) {
    char *r = raw_strerror_r(code, to, n);
    if (r == to) {
        __off_clear(to, raw_strnlen(to, n) + (n > 0));
    }
    return r;
}

FILLS(int, __xpg_strerror_r, (int code, char *to, size_t n), (code, to, n), n > 0, to, raw_strnlen(to, n - 1) + 1)

// ---- random numbers

// What glibc computes.
MODEL(int, rand_r)(unsigned *seed) {
    unsigned next = *seed, result;
    next = next * 1103515245 + 12345;
    result = next / 65536 % 2048;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    *seed = next;
    return (int)result;
}

FILLS2(int, random_r, (struct random_data * state, int32_t *to), (state, to), r == 0, to, sizeof *to, state,
       sizeof *state)
FILLS(int, srandom_r, (unsigned seed, struct random_data *state), (seed, state), r == 0, state, sizeof *state)
FILLS2(int, initstate_r, (unsigned seed, char *buffer, size_t n, struct random_data *state), (seed, buffer, n, state),
       r == 0, buffer, n, state, sizeof *state)
FILLS(double, erand48, (unsigned short state[3]), (state), 1, state, 6)
FILLS(long, nrand48, (unsigned short state[3]), (state), 1, state, 6)
FILLS(long, jrand48, (unsigned short state[3]), (state), 1, state, 6)

// ---- parts of numbers that live in libc itself

FILLS(double, frexp, (double x, int *to), (x, to), 1, to, sizeof *to)
FILLS(float, frexpf, (float x, int *to), (x, to), 1, to, sizeof *to)
FILLS(long double, frexpl, (long double x, int *to), (x, to), 1, to, sizeof *to)
FILLS(double, modf, (double x, double *to), (x, to), 1, to, sizeof *to)
FILLS(float, modff, (float x, float *to), (x, to), 1, to, sizeof *to)
FILLS(long double, modfl, (long double x, long double *to), (x, to), 1, to, sizeof *to)
