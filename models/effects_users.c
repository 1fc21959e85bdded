// Effects of functions about users and groups. In a file of their own: the linker warns about them in static programs.
#include "effects.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

FILLS(struct passwd *, getpwnam, (const char *name), (name), r, r, sizeof *r)
FILLS(struct passwd *, getpwuid, (uid_t id), (id), r, r, sizeof *r)
FILLS(struct passwd *, getpwent, (void), (), r, r, sizeof *r)
FILLS(struct group *, getgrnam, (const char *name), (name), r, r, sizeof *r)
FILLS(struct group *, getgrgid, (gid_t id), (id), r, r, sizeof *r)
FILLS(struct group *, getgrent, (void), (), r, r, sizeof *r)

#define LOOKS_UP(name, key, type)                                                                                      \
    RAW(int, name, (key, type *, char *, size_t, type **));                                                            \
    MODEL(int, name)(key what, type *to, char *buffer, size_t n, type **result) {                                      \
        int r = raw_##name(what, to, buffer, n, result);                                                               \
        __off_clear(result, sizeof *result);                                                                           \
        __off_clear(to, sizeof *to);                                                                                   \
        __off_clear(buffer, n);                                                                                        \
        return r;                                                                                                      \
    }

LOOKS_UP(getpwnam_r, const char *, struct passwd)
LOOKS_UP(getpwuid_r, uid_t, struct passwd)
LOOKS_UP(getgrnam_r, const char *, struct group)
LOOKS_UP(getgrgid_r, gid_t, struct group)

FILLS(int, getgroups, (int n, gid_t *to), (n, to), r > 0 && n > 0, to, (size_t)r * sizeof *to)
FILLS2(int, getgrouplist, (const char *user, gid_t group, gid_t *to, int *n), (user, group, to, n), 1, to,
       (size_t)*n * sizeof *to, n, sizeof *n)

#define THREE(name, type)                                                                                              \
    RAW(int, name, (type *, type *, type *));                                                                          \
    MODEL(int, name)(type *a, type *b, type *c) {                                                                      \
        int r = raw_##name(a, b, c);                                                                                   \
        if (r == 0) {                                                                                                  \
            __off_clear(a, sizeof *a);                                                                                 \
            __off_clear(b, sizeof *b);                                                                                 \
            __off_clear(c, sizeof *c);                                                                                 \
        }                                                                                                              \
        return r;                                                                                                      \
    }

THREE(getresuid, uid_t)
THREE(getresgid, gid_t)
