// fgets, getline and their kin, on top of the run-time library's getc: where a line ends is a branch. A stream that is no
// input source goes to libc, or nearly.
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

RAW(ssize_t, getdelim, (char **, size_t *, int, FILE *));
RAW(void, __chk_fail, (void)) __attribute__((noreturn));
RAW(void, flockfile, (FILE *));
RAW(void, funlockfile, (FILE *));
RAW(int, ferror_unlocked, (FILE *));

// Interceptors of the run-time library.
int OFF(getc_unlocked)(FILE *);
int OFF(ungetc)(int, FILE *);
void *OFF(realloc)(void *, size_t);

// Does the stream read from an input source? Also looks where the stream stands; to be asked before the next function.
int __off_stream_is_input(FILE *f);
// Reads up to and including a newline, at most `room` bytes, concretely; their number, 0 at the end.
ssize_t __off_concrete_line(char *to, size_t room, FILE *f);
// Libc has reallocated a block.
void __off_block_moved(void *old, void *new, size_t size);

// glibc's FILE begins with these flags; _IO_ERR_SEEN is 0x20. There is no function that sets them.
static int take_error(FILE *f) {
    int seen = f->_flags & 0x20;
    f->_flags &= ~0x20;
    return seen;
}

static char *get_string(char *s, int n, FILE *f) {
    if (n <= 0) {
        return NULL;
    }
    if (n == 1) {
        s[0] = 0;
        return s;
    }
    // Like glibc: an error of long ago does not count, one of now does.
    int before = take_error(f);
    size_t room = (size_t)n - 1, count = 0;
    if (!__off_stream_is_input(f)) {
        count = (size_t)__off_concrete_line(s, room, f);
    } else {
        while (count < room) {
            int c = OFF(getc_unlocked)(f);
            if (c == EOF) {
                break;
            }
            s[count++] = (char)c;
            if (c == '\n') {
                break;
            }
        }
    }
    char *result = NULL;
    if (count > 0 && (!raw_ferror_unlocked(f) || errno == EAGAIN)) {
        s[count] = 0;
        result = s;
    }
    f->_flags |= before;
    return result;
}

static char *get_string_locked(char *s, int n, FILE *f) {
    raw_flockfile(f);
    char *result = get_string(s, n, f);
    raw_funlockfile(f);
    return result;
}

MODEL(char *, fgets)(char *s, int n, FILE *f) {
    return get_string_locked(s, n, f);
}

MODEL(char *, fgets_unlocked)(char *s, int n, FILE *f) {
    return get_string(s, n, f);
}

// The checked forms read no more than there is room for, and fail if that was not enough.
static char *get_string_checked(char *s, size_t room, int n, FILE *f, char *(*get)(char *, int, FILE *)) {
    if (n > 0 && (size_t)n > room) {
        raw___chk_fail();
    }
    return get(s, n, f);
}

MODEL(char *, __fgets_chk)(char *s, size_t room, int n, FILE *f) {
    return get_string_checked(s, room, n, f, get_string_locked);
}

MODEL(char *, __fgets_unlocked_chk)(char *s, size_t room, int n, FILE *f) {
    return get_string_checked(s, room, n, f, get_string);
}

// The room grows as in glibc, which sees a buffer at a time: for a byte more it is doubled, and that is what it does too
// unless the line is longer than twice the room, where only the capacity that the caller is told differs.
static ssize_t get_delimited_input(char **line, size_t *n, int delimiter, FILE *f) {
    if (raw_ferror_unlocked(f)) {
        return -1;
    }
    if (!*line || *n == 0) {
        *n = 120;
        *line = OFF(malloc)(*n);
        if (!*line) {
            return -1;
        }
    }
    size_t count = 0;
    for (;;) {
        int c = OFF(getc_unlocked)(f);
        if (c == EOF) {
            if (count == 0) {
                return -1;
            }
            break;
        }
        if (count + 2 > *n) {
            size_t needed = count + 2 < 2 * *n ? 2 * *n : count + 2;
            char *more = OFF(realloc)(*line, needed);
            if (!more) {
                // The byte stays in the stream.
                OFF(ungetc)(c, f);
                return -1;
            }
            *line = more;
            *n = needed;
        }
        (*line)[count++] = (char)c;
        if (c == (unsigned char)delimiter) {
            break;
        }
    }
    (*line)[count] = 0;
    return (ssize_t)count;
}

static ssize_t get_delimited(char **line, size_t *n, int delimiter, FILE *f) {
    if (!line || !n) {
        errno = EINVAL;
        return -1;
    }
    raw_flockfile(f);
    ssize_t result;
    if (__off_stream_is_input(f)) {
        result = get_delimited_input(line, n, delimiter, f);
    } else {
        char *old = *line;
        size_t room = *n;
        result = raw_getdelim(line, n, delimiter, f);
        __off_clear(line, sizeof *line);
        __off_clear(n, sizeof *n);
        if (*line != old || *n != room) {
            // With a room of 0 libc leaves the old block alone.
            __off_block_moved(room ? old : NULL, *line, *n);
        }
        if (result >= 0) {
            __off_clear(*line, (size_t)result + 1);
        }
    }
    raw_funlockfile(f);
    return result;
}

MODEL(ssize_t, getdelim)(char **line, size_t *n, int delimiter, FILE *f) {
    return get_delimited(line, n, delimiter, f);
}

MODEL(ssize_t, __getdelim)(char **line, size_t *n, int delimiter, FILE *f) {
    return get_delimited(line, n, delimiter, f);
}

MODEL(ssize_t, getline)(char **line, size_t *n, FILE *f) {
    return get_delimited(line, n, '\n', f);
}
