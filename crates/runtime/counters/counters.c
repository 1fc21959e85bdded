// The run-time part of variant `plain`: keeps the outcome bytes of all modules in a file.
//
// OFFSHOOT_COVERAGE=FILE: FILE is made if it is missing. It has one record for each module (translation unit), in the
// order in which they first appeared; all numbers are little-endian:
//
//   offset 0      magic "OFFCOUNT"   version: u32   sites: u32   uid: u64   zeroes up to 4096
//   offset 4096   outcomes: 2 * sites bytes, zeroes up to a multiple of 4096
//
// outcomes[2 * site + outcome] is 1 if that outcome of the condition was seen, else 0. The uid is that of the model in
// the instrumented program.
//
// The record's pages are mapped in the place of the module's own: a crash loses nothing. A process that finds a record
// of its module uses it, so that all runs with the same FILE add up; for separate figures give each run its own FILE.
// If FILE cannot be used (not ours, no room, no permission) the program runs as if the variable were not set.
//
// Files by system calls only: a program may bring its own `open`.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VERSION = 1, PAGE = 4096 };

// "OFFCOUNT" as a little-endian number.
static const uint64_t MAGIC = 0x544e554f4346464f;

struct module {
    uint64_t uid;
    uint32_t sites;
    uint32_t objects;
    unsigned char *coverage; // whole pages
    void *site_base;
    void *object_table;
};

struct record {
    uint64_t magic;
    uint32_t version;
    uint32_t sites;
    uint64_t uid;
};

void __off_register_counters(const struct module *, int, char **, char **);

// Behind the record that was used last: the modules of a program mostly register in the same order.
static uint64_t next_record;

static uint64_t outcome_bytes(uint32_t sites) {
    return (2 * (uint64_t)sites + PAGE - 1) / PAGE * PAGE;
}

// The record that starts at `at`, if there is one and the file reaches to its end.
static int read_record(int fd, uint64_t at, uint64_t size, struct record *record) {
    return at + PAGE <= size && syscall(SYS_pread64, fd, record, sizeof *record, at) == sizeof *record &&
           record->magic == MAGIC && record->version == VERSION && at + PAGE + outcome_bytes(record->sites) <= size;
}

// Searches [from, to). Returns the record's offset, or -1; *end is where the search ended.
static int64_t search(int fd, const struct module *module, uint64_t from, uint64_t to, uint64_t size, uint64_t *end) {
    struct record record;
    while (from < to && read_record(fd, from, size, &record)) {
        uint64_t next = from + PAGE + outcome_bytes(record.sites);
        if (record.uid == module->uid && record.sites == module->sites) {
            *end = next;
            return (int64_t)from;
        }
        from = next;
    }
    *end = from;
    return -1;
}

static int64_t append(int fd, const struct module *module, uint64_t at) {
    uint64_t end = at + PAGE + outcome_bytes(module->sites);
    struct rlimit limit;
    // Past the limit the system does not refuse, it kills.
    if (syscall(SYS_getrlimit, RLIMIT_FSIZE, &limit) != 0 || end > limit.rlim_cur) {
        return -1;
    }
    // Room now, because a store to a page for which there is none would kill, too.
    if (syscall(SYS_fallocate, fd, 0, at, end - at) != 0 &&
        (errno != EOPNOTSUPP || syscall(SYS_ftruncate, fd, end) != 0)) {
        return -1;
    }
    struct record record = {MAGIC, VERSION, module->sites, module->uid};
    return syscall(SYS_pwrite64, fd, &record, sizeof record, at) == sizeof record ? (int64_t)at : -1;
}

static int64_t find_or_append(int fd, const struct module *module) {
    struct stat status;
    if (syscall(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return -1;
    }
    uint64_t size = (uint64_t)status.st_size;
    uint64_t end;
    int64_t at = search(fd, module, next_record, size, size, &end);
    if (at < 0) {
        // Where a search stops short of the end, the file is not ours.
        uint64_t last = end;
        uint64_t stop = next_record;
        at = search(fd, module, 0, stop, size, &end);
        if (at < 0) {
            if (last != size) {
                return -1;
            }
            end = size + PAGE + outcome_bytes(module->sites);
            at = append(fd, module, size);
        }
    }
    next_record = end;
    return at;
}

// Puts the record's pages in the place of the module's own. What was counted before (another module's constructor may
// have called into this one) is kept.
static void share(int fd, const struct module *module, uint64_t at) {
    uint64_t bytes = outcome_bytes(module->sites);
    long mapped = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
    if (mapped == -1) {
        return;
    }
    unsigned char *shared = (unsigned char *)mapped; // NOLINT: the system call returns addresses as long
    for (uint64_t i = 0; i < 2 * (uint64_t)module->sites; i++) {
        if (module->coverage[i]) {
            shared[i] = 1;
        }
    }
    if (syscall(SYS_mremap, shared, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, module->coverage) == -1) {
        syscall(SYS_munmap, shared, bytes);
    }
}

void __off_register_counters(const struct module *module, int argc, char **argv, char **envp) {
    (void)argc, (void)argv, (void)envp;
    // Not in a set-user-ID program: the variable names a file to write.
    const char *path = secure_getenv("OFFSHOOT_COVERAGE");
    if (path == NULL || *path == 0 || module->sites == 0) {
        return;
    }
    int saved = errno;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd >= 0) {
        // Processes of one test suite may start at the same time.
        while (syscall(SYS_flock, fd, LOCK_EX) != 0 && errno == EINTR) {
        }
        int64_t at = find_or_append(fd, module);
        if (at >= 0) {
            share(fd, module, (uint64_t)at + PAGE);
        }
        // Closing would not do: the mapping keeps the open file, and with it the lock.
        syscall(SYS_flock, fd, LOCK_UN);
        syscall(SYS_close, fd);
    }
    errno = saved;
}
