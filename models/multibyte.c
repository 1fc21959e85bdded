// Multibyte characters in the C locale (ASCII) and in UTF-8 as glibc has it: up to six bytes, no surrogates. The bytes
// decide by branches, the character is a term of them. In mbstate_t __count is length << 8 | bytes seen, and
// __value.__wch the bits seen, at their place.
#include "codeset.h"

#include <errno.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

RAW(wint_t, btowc, (int));
RAW(int, wctob, (wint_t));
RAW(int, mblen, (const char *, size_t));
RAW(int, mbtowc, (wchar_t *, const char *, size_t));
RAW(int, wctomb, (char *, wchar_t));
RAW(size_t, mbrtowc, (wchar_t *, const char *, size_t, mbstate_t *));
RAW(size_t, wcrtomb, (char *, wchar_t, mbstate_t *));
RAW(size_t, mbsnrtowcs, (wchar_t *, const char **, size_t, size_t, mbstate_t *));
RAW(size_t, wcsnrtombs, (char *, const wchar_t **, size_t, size_t, mbstate_t *));
RAW(int, mbsinit, (const mbstate_t *));
RAW(size_t, strlen, (const char *));
RAW(size_t, wcslen, (const wchar_t *));

#define BAD ((size_t)-1)
#define INCOMPLETE ((size_t)-2)
#define LONGEST 6

static size_t bad(void) {
    errno = EILSEQ;
    return BAD;
}

// Can the model work from here? Else the real function must: another character set, or a half-read character
// that the character set cannot have.
static int known(int set, const mbstate_t *state) {
    if (set == CODESET_OTHER) {
        return 0;
    }
    return set == CODESET_UTF8 || state->__count == 0;
}

static size_t decode_utf8(uint32_t *character, const char *s, size_t n, mbstate_t *state) {
    unsigned length, seen;
    uint32_t w;
    size_t i = 0;
    if (n == 0) {
        return INCOMPLETE;
    }
    if (state->__count == 0) {
        unsigned char c = (unsigned char)s[i++];
        if (c < 0x80) {
            *character = c;
            return c == 0 ? 0 : 1;
        }
        if (c < 0xc2) {
            return bad();
        }
        if (c < 0xe0) {
            length = 2;
            w = c & 0x1f;
        } else if (c < 0xf0) {
            length = 3;
            w = c & 0x0f;
        } else if (c < 0xf8) {
            length = 4;
            w = c & 0x07;
        } else if (c < 0xfc) {
            length = 5;
            w = c & 0x03;
        } else if (c < 0xfe) {
            length = 6;
            w = c & 0x01;
        } else {
            return bad();
        }
        seen = 1;
    } else {
        length = (unsigned)state->__count >> 8;
        seen = (unsigned)state->__count & 255;
        w = state->__value.__wch >> 6 * (length - seen);
    }
    for (; seen < length; seen++) {
        if (i == n) {
            state->__count = (int)(length << 8 | seen);
            state->__value.__wch = w << 6 * (length - seen);
            return INCOMPLETE;
        }
        unsigned char c = (unsigned char)s[i++];
        if ((c & 0xc0) != 0x80) {
            return bad();
        }
        w = w << 6 | (c & 0x3f);
    }
    if (length > 2) {
        if (w >> (5 * length - 4) == 0) {
            return bad();
        }
        if (length == 3) {
            if (w - 0xd800 < 0x800) {
                return bad();
            }
        }
    }
    state->__count = 0;
    *character = w;
    return i;
}

// mbrtowc for a character set that is known().
static size_t decode(int set, uint32_t *character, const char *s, size_t n, mbstate_t *state) {
    if (set == CODESET_UTF8) {
        return decode_utf8(character, s, n, state);
    }
    if (n == 0) {
        return INCOMPLETE;
    }
    unsigned char c = (unsigned char)s[0];
    if (c >= 0x80) {
        return bad();
    }
    *character = c;
    return c == 0 ? 0 : 1;
}

// wcrtomb into a buffer of LONGEST bytes.
static size_t encode(int set, char *to, wchar_t character) {
    uint32_t w = (uint32_t)character;
    if (w < 0x80) {
        to[0] = (char)w;
        return 1;
    }
    if (set == CODESET_C) {
        // Tag characters vanish.
        if (w >> 7 == 0xe0000 >> 7) {
            return 0;
        }
        return bad();
    }
    unsigned length;
    if (w < 0x800) {
        length = 2;
        to[0] = (char)(0xc0 | w >> 6);
    } else if (w < 0x10000) {
        if (w - 0xd800 < 0x800) {
            return bad();
        }
        length = 3;
        to[0] = (char)(0xe0 | w >> 12);
    } else if (w < 0x200000) {
        length = 4;
        to[0] = (char)(0xf0 | w >> 18);
    } else if (w < 0x4000000) {
        length = 5;
        to[0] = (char)(0xf8 | w >> 24);
    } else if (w < 0x80000000u) {
        length = 6;
        to[0] = (char)(0xfc | w >> 30);
    } else {
        return bad();
    }
    for (unsigned i = 1; i < length; i++) {
        to[i] = (char)(0x80 | (w >> 6 * (length - 1 - i) & 0x3f));
    }
    return length;
}

static size_t mbrtowc_model(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
    uint32_t w = 0;
    int set = codeset();
    if (!s) {
        to = NULL;
        s = "";
        n = 1;
    }
    if (!known(set, state)) {
        __off_loss("mbrtowc");
        size_t r = raw_mbrtowc(to, s, n, state);
        __off_clear(state, sizeof *state);
        if (to) {
            __off_clear(to, sizeof *to);
        }
        return r;
    }
    size_t r = decode(set, &w, s, n, state);
    if (r == BAD || r == INCOMPLETE) {
        return r;
    }
    if (to) {
        *to = (wchar_t)w;
    }
    return r;
}

static size_t wcrtomb_model(char *to, wchar_t w, mbstate_t *state) {
    char bytes[LONGEST];
    int set = codeset();
    if (!to) {
        state->__count = 0;
        return 1;
    }
    if (set == CODESET_OTHER || state->__count != 0) {
        __off_loss("wcrtomb");
        size_t r = raw_wcrtomb(to, w, state);
        __off_clear(state, sizeof *state);
        if (r != BAD) {
            __off_clear(to, r);
        }
        return r;
    }
    size_t n = encode(set, bytes, w);
    if (n != BAD) {
        for (size_t i = 0; i < n; i++) {
            to[i] = bytes[i];
        }
    }
    return n;
}

// At most n bytes; n = (size_t)-1 is a string without limit. glibc reads such a string in pieces of one byte more than
// there is room for characters: that shows in where it stops at an error, and in the state.
static size_t decode_string(wchar_t *to, const char **from, size_t n, size_t room, mbstate_t *state) {
    int set = codeset();
    if (!known(set, state)) {
        __off_loss("mbsnrtowcs");
        if (n == (size_t)-1) {
            n = raw_strlen(*from) + 1;
        }
        size_t r = raw_mbsnrtowcs(to, from, n, room, state);
        __off_clear(state, sizeof *state);
        if (to) {
            __off_clear(from, sizeof *from);
            __off_clear(to, (r == BAD || r == room ? room : r + 1) * sizeof *to);
        }
        return r;
    }
    int pieces = to && n == (size_t)-1;
    mbstate_t copy = *state;
    const char *s = *from;
    size_t count = 0, piece = n;
    while (!to || count < room) {
        uint32_t w = 0;
        if (pieces && (piece == n || piece == 0)) {
            piece = room - count + 1;
        }
        size_t r = decode(set, &w, s, piece, &copy);
        if (r == BAD) {
            count = BAD;
            break;
        }
        if (r == INCOMPLETE) {
            s += piece;
            piece = 0;
            if (pieces) {
                continue;
            }
            break;
        }
        if (to) {
            to[count] = (wchar_t)w;
        }
        if (r == 0) {
            s = NULL;
            break;
        }
        s += r;
        if (piece != (size_t)-1) {
            piece -= r;
        }
        count++;
    }
    if (to) {
        *from = s;
        *state = copy;
    }
    return count;
}

static size_t encode_string(char *to, const wchar_t **from, size_t n, size_t room, mbstate_t *state) {
    int set = codeset();
    if (set == CODESET_OTHER || state->__count != 0) {
        __off_loss("wcsnrtombs");
        if (n == (size_t)-1) {
            n = raw_wcslen(*from) + 1;
        }
        size_t r = raw_wcsnrtombs(to, from, n, room, state);
        __off_clear(state, sizeof *state);
        if (to) {
            __off_clear(from, sizeof *from);
            __off_clear(to, r == BAD || r == room ? room : r + 1);
        }
        return r;
    }
    const wchar_t *s = *from;
    size_t count = 0;
    for (; n > 0; n--) {
        char bytes[LONGEST];
        if (to && count == room) {
            break;
        }
        size_t r = encode(set, bytes, *s);
        if (r == BAD) {
            count = BAD;
            break;
        }
        if (to) {
            if (r > room - count) {
                break;
            }
            for (size_t i = 0; i < r; i++) {
                to[count + i] = bytes[i];
            }
        }
        if (*s == 0) {
            s = NULL;
            break;
        }
        s++;
        count += r;
    }
    if (to) {
        *from = s;
    }
    return count;
}

MODEL(wint_t, btowc)(int c) {
    if (c < 0) {
        return WEOF;
    }
    if (c < 0x80) {
        return (wint_t)c;
    }
    if (codeset() == CODESET_OTHER) {
        return raw_btowc(c);
    }
    return WEOF;
}

MODEL(int, wctob)(wint_t w) {
    if (w < 0x80) {
        return (int)w;
    }
    if (codeset() == CODESET_OTHER) {
        return raw_wctob(w);
    }
    return -1;
}

MODEL(int, mbsinit)(const mbstate_t *state) {
    if (!state) {
        return 1;
    }
    return state->__count == 0;
}

// The states behind a NULL state argument. Those of libc itself, which only code without instrumentation uses, are
// others.
static mbstate_t state_mbrtowc, state_mbrlen, state_wcrtomb, state_mbsrtowcs, state_mbsnrtowcs, state_wcsrtombs,
    state_wcsnrtombs, state_mbtowc;

MODEL(size_t, mbrtowc)(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
    return mbrtowc_model(to, s, n, state ? state : &state_mbrtowc);
}

MODEL(size_t, __mbrtowc)(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
    return mbrtowc_model(to, s, n, state ? state : &state_mbrtowc);
}

MODEL(size_t, mbrtoc32)(char32_t *to, const char *s, size_t n, mbstate_t *state) {
    return mbrtowc_model((wchar_t *)to, s, n, state ? state : &state_mbrtowc);
}

MODEL(size_t, mbrlen)(const char *s, size_t n, mbstate_t *state) {
    return mbrtowc_model(NULL, s, n, state ? state : &state_mbrlen);
}

MODEL(size_t, __mbrlen)(const char *s, size_t n, mbstate_t *state) {
    return mbrtowc_model(NULL, s, n, state ? state : &state_mbrlen);
}

MODEL(size_t, wcrtomb)(char *to, wchar_t w, mbstate_t *state) {
    return wcrtomb_model(to, w, state ? state : &state_wcrtomb);
}

MODEL(size_t, c32rtomb)(char *to, char32_t w, mbstate_t *state) {
    return wcrtomb_model(to, (wchar_t)w, state ? state : &state_wcrtomb);
}

// The int functions: a half-read character is an error.
static int small(size_t r) {
    return r == BAD || r == INCOMPLETE ? -1 : (int)r;
}

MODEL(int, mblen)(const char *s, size_t n) {
    mbstate_t state = {0};
    if (codeset() == CODESET_OTHER) {
        return raw_mblen(s, n);
    }
    if (!s || *s == 0) {
        return 0;
    }
    return small(mbrtowc_model(NULL, s, n, &state));
}

// Unlike mblen it continues a character that the last call has left half-read.
MODEL(int, mbtowc)(wchar_t *to, const char *s, size_t n) {
    if (codeset() == CODESET_OTHER) {
        int r = raw_mbtowc(to, s, n);
        if (to && s) {
            __off_clear(to, sizeof *to);
        }
        return r;
    }
    if (!s) {
        state_mbtowc = (mbstate_t){0};
        return 0;
    }
    if (*s == 0) {
        if (to) {
            *to = 0;
        }
        return 0;
    }
    return small(mbrtowc_model(to, s, n, &state_mbtowc));
}

MODEL(int, wctomb)(char *to, wchar_t w) {
    mbstate_t state = {0};
    if (codeset() == CODESET_OTHER) {
        int r = raw_wctomb(to, w);
        if (to && r > 0) {
            __off_clear(to, (size_t)r);
        }
        return r;
    }
    if (!to) {
        return 0;
    }
    return small(wcrtomb_model(to, w, &state));
}

MODEL(size_t, mbsnrtowcs)(wchar_t *to, const char **from, size_t n, size_t room, mbstate_t *state) {
    return decode_string(to, from, n, room, state ? state : &state_mbsnrtowcs);
}

MODEL(size_t, mbsrtowcs)(wchar_t *to, const char **from, size_t room, mbstate_t *state) {
    return decode_string(to, from, (size_t)-1, room, state ? state : &state_mbsrtowcs);
}

MODEL(size_t, mbstowcs)(wchar_t *to, const char *from, size_t room) {
    mbstate_t state = {0};
    return decode_string(to, &from, (size_t)-1, room, &state);
}

MODEL(size_t, wcsnrtombs)(char *to, const wchar_t **from, size_t n, size_t room, mbstate_t *state) {
    return encode_string(to, from, n, room, state ? state : &state_wcsnrtombs);
}

MODEL(size_t, wcsrtombs)(char *to, const wchar_t **from, size_t room, mbstate_t *state) {
    return encode_string(to, from, (size_t)-1, room, state ? state : &state_wcsrtombs);
}

MODEL(size_t, wcstombs)(char *to, const wchar_t *from, size_t room) {
    mbstate_t state = {0};
    return encode_string(to, &from, (size_t)-1, room, &state);
}
