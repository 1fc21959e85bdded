// Effects of functions about files and folders.
#include "effects.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define STATUS(suffix, stat_type)                                                                                      \
    FILLS(int, stat##suffix, (const char *path, stat_type *to), (path, to), r == 0, to, sizeof *to)                    \
    FILLS(int, lstat##suffix, (const char *path, stat_type *to), (path, to), r == 0, to, sizeof *to)                   \
    FILLS(int, fstat##suffix, (int fd, stat_type *to), (fd, to), r == 0, to, sizeof *to)                               \
    FILLS(int, fstatat##suffix, (int fd, const char *path, stat_type *to, int flags), (fd, path, to, flags), r == 0,   \
          to, sizeof *to)                                                                                              \
    FILLS(int, __xstat##suffix, (int version, const char *path, stat_type *to), (version, path, to), r == 0, to,       \
          sizeof *to)                                                                                                  \
    FILLS(int, __lxstat##suffix, (int version, const char *path, stat_type *to), (version, path, to), r == 0, to,      \
          sizeof *to)                                                                                                  \
    FILLS(int, __fxstat##suffix, (int version, int fd, stat_type *to), (version, fd, to), r == 0, to, sizeof *to)      \
    FILLS(int, __fxstatat##suffix, (int version, int fd, const char *path, stat_type *to, int flags),                  \
          (version, fd, path, to, flags), r == 0, to, sizeof *to)

STATUS(, struct stat)
STATUS(64, struct stat64)

FILLS(int, statx, (int fd, const char *path, int flags, unsigned mask, struct statx *to), (fd, path, flags, mask, to),
      r == 0, to, sizeof *to)
FILLS(int, statvfs, (const char *path, struct statvfs *to), (path, to), r == 0, to, sizeof *to)
FILLS(int, fstatvfs, (int fd, struct statvfs *to), (fd, to), r == 0, to, sizeof *to)
FILLS(int, statvfs64, (const char *path, struct statvfs64 *to), (path, to), r == 0, to, sizeof *to)
FILLS(int, fstatvfs64, (int fd, struct statvfs64 *to), (fd, to), r == 0, to, sizeof *to)
FILLS(int, statfs, (const char *path, struct statfs *to), (path, to), r == 0, to, sizeof *to)
FILLS(int, fstatfs, (int fd, struct statfs *to), (fd, to), r == 0, to, sizeof *to)
FILLS(int, statfs64, (const char *path, struct statfs64 *to), (path, to), r == 0, to, sizeof *to)
FILLS(int, fstatfs64, (int fd, struct statfs64 *to), (fd, to), r == 0, to, sizeof *to)

// ---- names

RAW(char *, getcwd, (char *, size_t));
RAW(char *, __getcwd_chk, (char *, size_t, size_t));
RAW(char *, get_current_dir_name, (void));
RAW(char *, realpath, (const char *, char *));
RAW(char *, __realpath_chk, (const char *, char *, size_t));
RAW(char *, canonicalize_file_name, (const char *));

// Into the caller's memory, or into new memory of libc's.
static char *name_made(char *to, char *r) {
    if (to) {
        clear_string(r);
        return r;
    }
    return new_string(r);
}

MODEL(char *, getcwd)(char *to, size_t n) {
    return name_made(to, raw_getcwd(to, n));
}

MODEL(char *, __getcwd_chk)(char *to, size_t n, size_t room) {
    return name_made(to, raw___getcwd_chk(to, n, room));
}

MODEL(char *, get_current_dir_name)(void) {
    return new_string(raw_get_current_dir_name());
}

MODEL(char *, realpath)(const char *path, char *to) {
    string_goes(path, "realpath");
    return name_made(to, raw_realpath(path, to));
}

MODEL(char *, __realpath_chk)(const char *path, char *to, size_t room) {
    string_goes(path, "realpath");
    return name_made(to, raw___realpath_chk(path, to, room));
}

MODEL(char *, canonicalize_file_name)(const char *path) {
    string_goes(path, "canonicalize_file_name");
    return new_string(raw_canonicalize_file_name(path));
}

FILLS(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n), r > 0, to, (size_t)r)
FILLS(ssize_t, readlinkat, (int fd, const char *path, char *to, size_t n), (fd, path, to, n), r > 0, to, (size_t)r)
FILLS(ssize_t, __readlink_chk, (const char *path, char *to, size_t n, size_t room), (path, to, n, room), r > 0, to,
      (size_t)r)
FILLS(ssize_t, __readlinkat_chk, (int fd, const char *path, char *to, size_t n, size_t room), (fd, path, to, n, room),
      r > 0, to, (size_t)r)

// ---- folders

FILLS(ssize_t, getdents64, (int fd, void *to, size_t n), (fd, to, n), r > 0, to, (size_t)r)
FILLS(struct dirent *, readdir, (DIR * dir), (dir), r, r, r->d_reclen)
FILLS(struct dirent64 *, readdir64, (DIR * dir), (dir), r, r, r->d_reclen)
FILLS2(int, readdir_r, (DIR * dir, struct dirent *entry, struct dirent **to), (dir, entry, to), r == 0, to, sizeof *to,
       *to, (*to)->d_reclen)
FILLS2(int, readdir64_r, (DIR * dir, struct dirent64 *entry, struct dirent64 **to), (dir, entry, to), r == 0, to,
       sizeof *to, *to, (*to)->d_reclen)

#define SCANS(name, entry)                                                                                             \
    FILLS(int, name,                                                                                                   \
          (const char *path, struct entry ***to, int (*wanted)(const struct entry *),                                  \
           int (*order)(const struct entry **, const struct entry **)),                                                \
          (path, to, wanted, order), r >= 0, to, sizeof *to)

SCANS(scandir, dirent)
SCANS(scandir64, dirent64)

#define GLOBS(name, type)                                                                                              \
    RAW(int, name, (const char *, int, int (*)(const char *, int), type *));                                           \
    MODEL(int, name)(const char *pattern, int flags, int (*failed)(const char *, int), type *to) {                     \
        string_goes(pattern, "glob");                                                                                  \
        int r = raw_##name(pattern, flags, failed, to);                                                                \
        __off_clear(to, sizeof *to);                                                                                   \
        if (r == 0) {                                                                                                  \
            __off_clear(to->gl_pathv, (to->gl_pathc + 1) * sizeof *to->gl_pathv);                                      \
        }                                                                                                              \
        return r;                                                                                                      \
    }

GLOBS(glob, glob_t)
GLOBS(glob64, glob64_t)

// ---- temporary files: the template is filled in

#define MAKES(type, name, params, args)                                                                                \
    RAW(type, name, params);                                                                                           \
    MODEL(type, name) params {                                                                                         \
        string_goes(template, #name);                                                                                  \
        type r = raw_##name args;                                                                                      \
        clear_string(template);                                                                                        \
        return r;                                                                                                      \
    }

MAKES(int, mkstemp, (char *template), (template))
MAKES(int, mkstemp64, (char *template), (template))
MAKES(int, mkostemp, (char *template, int flags), (template, flags))
MAKES(int, mkostemp64, (char *template, int flags), (template, flags))
MAKES(int, mkstemps, (char *template, int n), (template, n))
MAKES(int, mkstemps64, (char *template, int n), (template, n))
MAKES(char *, mkdtemp, (char *template), (template))
