// Effects of functions about time.
#include "effects.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

FILLS2(int, gettimeofday, (struct timeval * to, void *zone), (to, zone), r == 0, to, sizeof *to, zone,
       sizeof(struct timezone))
FILLS(int, clock_gettime, (clockid_t clock, struct timespec *to), (clock, to), r == 0, to, sizeof *to)
FILLS(int, clock_getres, (clockid_t clock, struct timespec *to), (clock, to), r == 0, to, sizeof *to)
FILLS(int, timespec_get, (struct timespec * to, int base), (to, base), r != 0, to, sizeof *to)
FILLS(time_t, time, (time_t * to), (to), 1, to, sizeof *to)
FILLS(clock_t, times, (struct tms * to), (to), 1, to, sizeof *to)
FILLS(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), r != 0, left, sizeof *left)
FILLS(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
      (clock, flags, time, left), r != 0, left, sizeof *left)
FILLS(int, getitimer, (__itimer_which_t which, struct itimerval *to), (which, to), r == 0, to, sizeof *to)
FILLS(int, setitimer, (__itimer_which_t which, const struct itimerval *time, struct itimerval *old), (which, time, old),
      r == 0, old, sizeof *old)

// A time on its way to libc.
#define CONVERTS(name)                                                                                                 \
    RAW(struct tm *, name, (const time_t *));                                                                          \
    RAW(struct tm *, name##_r, (const time_t *, struct tm *));                                                         \
    MODEL(struct tm *, name)(const time_t *time) {                                                                     \
        bytes_go(time, sizeof *time, #name);                                                                           \
        struct tm *r = raw_##name(time);                                                                               \
        if (r) {                                                                                                       \
            __off_clear(r, sizeof *r);                                                                                 \
        }                                                                                                              \
        return r;                                                                                                      \
    }                                                                                                                  \
    MODEL(struct tm *, name##_r)(const time_t *time, struct tm *to) {                                                  \
        bytes_go(time, sizeof *time, #name "_r");                                                                      \
        struct tm *r = raw_##name##_r(time, to);                                                                       \
        if (r) {                                                                                                       \
            __off_clear(r, sizeof *r);                                                                                 \
        }                                                                                                              \
        return r;                                                                                                      \
    }

CONVERTS(localtime)
CONVERTS(gmtime)

// These put the broken-down time in order.
#define JOINS(name)                                                                                                    \
    RAW(time_t, name, (struct tm *));                                                                                  \
    MODEL(time_t, name)(struct tm *time) {                                                                             \
        bytes_go(time, sizeof *time, #name);                                                                           \
        time_t r = raw_##name(time);                                                                                   \
        __off_clear(time, sizeof *time);                                                                               \
        return r;                                                                                                      \
    }

JOINS(mktime)
JOINS(timegm)
JOINS(timelocal)

#define WRITES(name, type)                                                                                             \
    RAW(char *, name, (const type *));                                                                                 \
    RAW(char *, name##_r, (const type *, char *));                                                                     \
    MODEL(char *, name)(const type *time) {                                                                            \
        bytes_go(time, sizeof *time, #name);                                                                           \
        char *r = raw_##name(time);                                                                                    \
        clear_string(r);                                                                                               \
        return r;                                                                                                      \
    }                                                                                                                  \
    MODEL(char *, name##_r)(const type *time, char *to) {                                                              \
        bytes_go(time, sizeof *time, #name "_r");                                                                      \
        char *r = raw_##name##_r(time, to);                                                                            \
        clear_string(r);                                                                                               \
        return r;                                                                                                      \
    }

WRITES(asctime, struct tm)
WRITES(ctime, time_t)

RAW(size_t, strftime, (char *, size_t, const char *, const struct tm *));
RAW(size_t, strftime_l, (char *, size_t, const char *, const struct tm *, locale_t));
RAW(char *, strptime, (const char *, const char *, struct tm *));

static size_t formatted(char *to, size_t room, size_t n) {
    // Without a result the whole buffer is undefined.
    __off_clear(to, n ? n + 1 : room);
    return n;
}

MODEL(size_t, strftime)(char *to, size_t room, const char *format, const struct tm *time) {
    string_goes(format, "strftime");
    bytes_go(time, sizeof *time, "strftime");
    return formatted(to, room, raw_strftime(to, room, format, time));
}

MODEL(size_t, strftime_l)(char *to, size_t room, const char *format, const struct tm *time, locale_t locale) {
    string_goes(format, "strftime_l");
    bytes_go(time, sizeof *time, "strftime_l");
    return formatted(to, room, raw_strftime_l(to, room, format, time, locale));
}

MODEL(char *, strptime)(const char *s, const char *format, struct tm *to) {
    string_goes(s, "strptime");
    string_goes(format, "strptime");
    char *r = raw_strptime(s, format, to);
    __off_clear(to, sizeof *to);
    return r;
}
