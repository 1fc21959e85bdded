// The printf family, on top of format.c: to memory, to streams, to descriptors.
#include "format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

RAW(int, vsnprintf, (char *, size_t, const char *, va_list));
RAW(int, vfprintf, (FILE *, const char *, va_list));
RAW(int, vdprintf, (int, const char *, va_list));
RAW(int, __vsnprintf_chk, (char *, size_t, int, size_t, const char *, va_list));
RAW(int, __vsprintf_chk, (char *, int, size_t, const char *, va_list));
RAW(int, __vfprintf_chk, (FILE *, int, const char *, va_list));
RAW(int, __vdprintf_chk, (int, int, const char *, va_list));
RAW(int, snprintf, (char *, size_t, const char *, ...));
RAW(char *, strerror, (int));
RAW(void, perror, (const char *));
RAW(void, __chk_fail, (void)) __attribute__((noreturn));

// Is the text of what is printed to this descriptor wanted in the trace? Here it is.
int __off_output_wanted(int fd);
void __off_output(int fd, const void *text, size_t n);

// The result of a function whose text was made here.
static int result_of(const struct sink *s) {
    if (s->failed) {
        return -1;
    }
    if (s->count > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return (int)s->count;
}

static int loses(enum finding finding, const char *function) {
    if (finding == UNKNOWN) {
        __off_loss(function);
    }
    return finding != SYMBOLIC;
}

// ---- to memory

// Made by libc: concrete.
static int made(char *to, size_t room, int n) {
    if (room > 0 && n >= 0) {
        __off_clear(to, (size_t)n < room ? (size_t)n + 1 : room);
    }
    return n;
}

static int to_memory(char *to, size_t room, const char *format, va_list ap, const char *function) {
    if (loses(off_model_look(format, ap), function)) {
        return made(to, room, raw_vsnprintf(to, room, format, ap));
    }
    struct sink s = {.to = to, .room = room ? room - 1 : 0};
    if (!off_model_print(&s, format, ap)) {
        __off_loss(function);
        return made(to, room, raw_vsnprintf(to, room, format, ap));
    }
    if (room) {
        to[s.count < s.room ? s.count : s.room] = 0;
    }
    return result_of(&s);
}

// There is no telling how much room there is: an address must not wrap around.
#define ANY_ROOM INT_MAX

#define FORWARD(last, call)                                                                                            \
    va_list ap;                                                                                                        \
    va_start(ap, last);                                                                                                \
    int result = call;                                                                                                 \
    va_end(ap);                                                                                                        \
    return result

MODEL(int, vsnprintf)(char *to, size_t room, const char *format, va_list ap) {
    return to_memory(to, room, format, ap, "vsnprintf");
}

MODEL(int, snprintf)(char *to, size_t room, const char *format, ...) {
    FORWARD(format, to_memory(to, room, format, ap, "snprintf"));
}

MODEL(int, vsprintf)(char *to, const char *format, va_list ap) {
    return to_memory(to, ANY_ROOM, format, ap, "vsprintf");
}

MODEL(int, sprintf)(char *to, const char *format, ...) {
    FORWARD(format, to_memory(to, ANY_ROOM, format, ap, "sprintf"));
}

static int to_checked(char *to, size_t room, int flag, size_t size, const char *format, va_list ap) {
    if (size < room) {
        raw___chk_fail();
    }
    if (loses(off_model_look(format, ap), "snprintf")) {
        return made(to, room, raw___vsnprintf_chk(to, room, flag, size, format, ap));
    }
    return to_memory(to, room, format, ap, "snprintf");
}

MODEL(int, __vsnprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, va_list ap) {
    return to_checked(to, room, flag, size, format, ap);
}

MODEL(int, __snprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, ...) {
    FORWARD(format, to_checked(to, room, flag, size, format, ap));
}

static int to_checked_all(char *to, int flag, size_t size, const char *format, va_list ap) {
    if (size == 0) {
        raw___chk_fail();
    }
    if (loses(off_model_look(format, ap), "sprintf")) {
        int n = raw___vsprintf_chk(to, flag, size, format, ap);
        return made(to, size, n);
    }
    int n = to_memory(to, size, format, ap, "sprintf");
    if (n >= 0 && (size_t)n >= size) {
        raw___chk_fail();
    }
    return n;
}

MODEL(int, __vsprintf_chk)(char *to, int flag, size_t size, const char *format, va_list ap) {
    return to_checked_all(to, flag, size, format, ap);
}

MODEL(int, __sprintf_chk)(char *to, int flag, size_t size, const char *format, ...) {
    FORWARD(format, to_checked_all(to, flag, size, format, ap));
}

// To a block of its own, always of our heap.
static int to_heap(char **to, const char *format, va_list ap) {
    *to = NULL;
    if (!loses(off_model_look(format, ap), "asprintf")) {
        struct sink s = {.grows = 1};
        if (off_model_print(&s, format, ap)) {
            off_model_put(&s, 0);
            s.count--;
            int n = result_of(&s);
            if (n < 0) {
                OFF(free)(s.to);
            } else {
                *to = s.to;
            }
            return n;
        }
        OFF(free)(s.to);
        __off_loss("asprintf");
    }
    va_list copy;
    va_copy(copy, ap);
    int n = raw_vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (n < 0) {
        return n;
    }
    char *block = OFF(malloc)((size_t)n + 1);
    if (!block) {
        return -1;
    }
    n = raw_vsnprintf(block, (size_t)n + 1, format, ap);
    __off_clear(block, (size_t)n + 1);
    *to = block;
    return n;
}

MODEL(int, vasprintf)(char **to, const char *format, va_list ap) {
    return to_heap(to, format, ap);
}

MODEL(int, asprintf)(char **to, const char *format, ...) {
    FORWARD(format, to_heap(to, format, ap));
}

MODEL(int, __vasprintf_chk)(char **to, int flag, const char *format, va_list ap) {
    (void)flag;
    return to_heap(to, format, ap);
}

MODEL(int, __asprintf_chk)(char **to, int flag, const char *format, ...) {
    (void)flag;
    FORWARD(format, to_heap(to, format, ap));
}

// ---- to streams and descriptors: libc prints, the trace gets the text

static void note(int fd, const char *format, va_list ap) {
    if (__off_output_wanted(fd)) {
        char text[4096];
        int error = errno;
        va_list copy;
        va_copy(copy, ap);
        int n = to_memory(text, sizeof text, format, copy, "printf");
        va_end(copy);
        if (n > 0) {
            __off_output(fd, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
        }
        errno = error;
    }
}

static int to_stream(FILE *f, const char *format, va_list ap) {
    note(f->_fileno, format, ap);
    return raw_vfprintf(f, format, ap);
}

static int to_stream_checked(FILE *f, int flag, const char *format, va_list ap) {
    note(f->_fileno, format, ap);
    return raw___vfprintf_chk(f, flag, format, ap);
}

static int to_descriptor(int fd, const char *format, va_list ap) {
    note(fd, format, ap);
    return raw_vdprintf(fd, format, ap);
}

static int to_descriptor_checked(int fd, int flag, const char *format, va_list ap) {
    note(fd, format, ap);
    return raw___vdprintf_chk(fd, flag, format, ap);
}

MODEL(int, vfprintf)(FILE *f, const char *format, va_list ap) {
    return to_stream(f, format, ap);
}

MODEL(int, fprintf)(FILE *f, const char *format, ...) {
    FORWARD(format, to_stream(f, format, ap));
}

MODEL(int, vprintf)(const char *format, va_list ap) {
    return to_stream(stdout, format, ap);
}

MODEL(int, printf)(const char *format, ...) {
    FORWARD(format, to_stream(stdout, format, ap));
}

MODEL(int, vdprintf)(int fd, const char *format, va_list ap) {
    return to_descriptor(fd, format, ap);
}

MODEL(int, dprintf)(int fd, const char *format, ...) {
    FORWARD(format, to_descriptor(fd, format, ap));
}

MODEL(int, __vfprintf_chk)(FILE *f, int flag, const char *format, va_list ap) {
    return to_stream_checked(f, flag, format, ap);
}

MODEL(int, __fprintf_chk)(FILE *f, int flag, const char *format, ...) {
    FORWARD(format, to_stream_checked(f, flag, format, ap));
}

MODEL(int, __vprintf_chk)(int flag, const char *format, va_list ap) {
    return to_stream_checked(stdout, flag, format, ap);
}

MODEL(int, __printf_chk)(int flag, const char *format, ...) {
    FORWARD(format, to_stream_checked(stdout, flag, format, ap));
}

MODEL(int, __vdprintf_chk)(int fd, int flag, const char *format, va_list ap) {
    return to_descriptor_checked(fd, flag, format, ap);
}

MODEL(int, __dprintf_chk)(int fd, int flag, const char *format, ...) {
    FORWARD(format, to_descriptor_checked(fd, flag, format, ap));
}

MODEL(void, perror)(const char *s) {
    int error = errno;
    if (__off_output_wanted(2)) {
        char text[1024];
        int n = raw_snprintf(text, sizeof text, "%s%s%s\n", s && *s ? s : "", s && *s ? ": " : "", raw_strerror(error));
        if (n > 0) {
            __off_clear(text, (size_t)n < sizeof text ? (size_t)n : sizeof text);
            __off_output(2, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
        }
        errno = error;
    }
    raw_perror(s);
}
