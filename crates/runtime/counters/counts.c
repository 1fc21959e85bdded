// The run-time part of variant `count`: keeps clang's own coverage counters in a file, exact and whatever ends the program.
//
// OFFSHOOT_COUNTS=FILE: FILE is made if it is missing; give an absolute path. It is a row of records, one for each process
// that is running or did not come to its end; processes that did have been added up in the first of their program. All
// numbers are little-endian:
//
//   offset 0      magic "OFFPROF1"   version: u32   state: u32   identity: u64   counters: u64   bitmaps: u64   zeroes up to 4096
//   offset 4096   `counters` bytes: the section __llvm_prf_cnts, whole pages
//   behind it     `bitmaps` bytes: the section __llvm_prf_bits, whole pages
//
// The identity is a hash of the functions that are counted (section __llvm_prf_data) and of the build id, so that builds are
// not mixed up.
//
// The record's pages are mapped in the place of the sections: a crash loses nothing. Each process has a record of its own,
// so that no count is lost between two that run at the same time. A forked child begins one, too, with what its parent had
// counted: not all counts are counted, some are differences (how often `else` was taken: as often as the whole, less `if`), and
// they come out wrong if what was before the fork is only in one of the two. clang's own profiles have it so as well.
// If FILE cannot be used (not ours, no room, no permission) the program runs as if the variable were not set.
//
// Under the fork server (OFFSHOOT_TRACE) there is no FILE: the sections are handed to the run-time library as the outcomes of
// two modules, and the pages of the trace are mapped in their place. The process that owns the trace counts, and those that
// it forks; a program that it executes does not.
//
// Files by system calls only: a program may bring its own `open`.

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VERSION = 1, PAGE = 4096 };
enum state { SUM = 1, RUNNING = 2, FREE = 3 };

// "OFFPROF1" as a little-endian number.
static const uint64_t MAGIC = 0x31464f525046464f;

struct record {
    uint64_t magic;
    uint32_t version;
    uint32_t state;
    uint64_t identity;
    uint64_t counters;
    uint64_t bitmaps;
};

// As LLVM 19 lays it out.
struct function {
    uint64_t name;
    uint64_t hash;
    uint64_t counters_at, bitmap_at, address, values;
    uint32_t counters;
    uint16_t value_sites[3];
    uint32_t bitmap_bytes;
};

// These come last in the sections, because this file is linked last, and make whole pages of them.
#define WHOLE_PAGES(section_name) __attribute__((used, retain, section(section_name), aligned(PAGE)))
WHOLE_PAGES("__llvm_prf_cnts") static uint64_t counters_end[PAGE / 8];
WHOLE_PAGES("__llvm_prf_bits") static unsigned char bitmaps_end[PAGE];

extern uint64_t __start___llvm_prf_cnts[], __stop___llvm_prf_cnts[];
extern unsigned char __start___llvm_prf_bits[], __stop___llvm_prf_bits[];
extern const struct function __start___llvm_prf_data[] __attribute__((weak));
extern const struct function __stop___llvm_prf_data[] __attribute__((weak));

// Asked for by name on the link line: nothing else refers to this file.
int __off_counts = 1;

// As `crates/runtime/src/start.rs` has it.
struct description {
    uint64_t uid;
    uint32_t sites, objects;
    void *outcomes;
    uint32_t *site_base;
    const void *globals;
};
extern void __off_register(const struct description *, int, char **, char **) __attribute__((weak));

// As in `crates/campaign/src/counted.rs`.
static const uint64_t COUNTERS_UID = 0x53544e434646304f, BITMAPS_UID = 0x535449424646304f;

static void hand_over(uint64_t uid, void *start, const void *stop, int argc, char **argv, char **envp) {
    static uint32_t site_base;
    // A site has two bytes.
    uint32_t sites = (uint32_t)(((const char *)stop - (const char *)start) / 2);
    struct description section = {uid, sites, 0, start, &site_base, &site_base};
    __off_register(&section, argc, argv, envp);
}

static void be_served(int argc, char **argv, char **envp) {
    if (__off_register != NULL) {
        hand_over(COUNTERS_UID, __start___llvm_prf_cnts, __stop___llvm_prf_cnts, argc, argv, envp);
        hand_over(BITMAPS_UID, __start___llvm_prf_bits, __stop___llvm_prf_bits, argc, argv, envp);
    }
}

// A served program stops here, before all constructors, and becomes its runs. Attributes know no such priority.
__attribute__((used, retain, section(".init_array.00000"))) static void (*const first)(int, char **, char **) = be_served;

static struct record mine;
// Where it is, or 0 while there is none.
static uint64_t mine_at;
static const char *path;

static uint64_t size_of(const struct record *record) {
    return PAGE + record->counters + record->bitmaps;
}

// The linker's: where the program or library starts.
extern const Elf64_Ehdr __ehdr_start __attribute__((weak, visibility("hidden")));

// Mixes the note that the linker wrote, if it wrote one, into the hash.
static uint64_t with_build_id(uint64_t hash) {
    const char *base = (const char *)&__ehdr_start;
    const Elf64_Phdr *headers = (const Elf64_Phdr *)(base + (base ? __ehdr_start.e_phoff : 0)); // NOLINT: as ELF lays it out
    for (int i = 0; base != NULL && i < __ehdr_start.e_phnum; i++) {
        if (headers[i].p_type != PT_NOTE) {
            continue;
        }
        // Notes of the program are mapped where they are in the file: both start at 0.
        const char *at = base + headers[i].p_offset;
        const char *end = at + headers[i].p_filesz;
        while (end - at >= (long)sizeof(Elf64_Nhdr)) {
            const Elf64_Nhdr *note = (const Elf64_Nhdr *)at; // NOLINT: aligned by the linker
            const unsigned char *id = (const unsigned char *)(note + 1) + ((note->n_namesz + 3) & ~3U);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0) {
                for (unsigned j = 0; j < note->n_descsz; j++) {
                    hash = (hash ^ id[j]) * 0x100000001b3;
                }
                return hash;
            }
            at = (const char *)id + ((note->n_descsz + 3) & ~3U);
        }
    }
    return hash;
}

static void describe(void) {
    mine.magic = MAGIC;
    mine.version = VERSION;
    mine.counters = (uint64_t)((char *)__stop___llvm_prf_cnts - (char *)__start___llvm_prf_cnts);
    mine.bitmaps = (uint64_t)(__stop___llvm_prf_bits - __start___llvm_prf_bits);
    uint64_t hash = 0xcbf29ce484222325;
    for (const struct function *f = __start___llvm_prf_data; f != __stop___llvm_prf_data; f++) {
        uint64_t parts[] = {f->name, f->hash, f->counters, f->bitmap_bytes};
        for (int i = 0; i < 4; i++) {
            hash = (hash ^ parts[i]) * 0x100000001b3;
        }
    }
    mine.identity = with_build_id(hash);
}

static int same_program(const struct record *other) {
    return other->identity == mine.identity && other->counters == mine.counters && other->bitmaps == mine.bitmaps;
}

static int open_locked(int flags) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOCTTY | flags, 0666);
    // Processes of one test suite may start at the same time.
    while (fd >= 0 && syscall(SYS_flock, fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    return fd;
}

// Closing would not do: a mapping keeps the open file, and with it the lock.
static void close_unlocked(int fd) {
    syscall(SYS_flock, fd, LOCK_UN);
    syscall(SYS_close, fd);
}

static int set_state(int fd, uint64_t at, enum state state) {
    struct record record = mine;
    record.state = state;
    return syscall(SYS_pwrite64, fd, &record, sizeof record, at) == sizeof record;
}

// The first record of this program in the given state, from the start of the file, whose end goes to *size; or -1. *ours
// becomes 0 if the file is not one of ours.
static int64_t find(int fd, enum state state, uint64_t *size, int *ours) {
    struct stat status;
    *ours = syscall(SYS_fstat, fd, &status) == 0 && S_ISREG(status.st_mode);
    *size = *ours ? (uint64_t)status.st_size : 0;
    struct record record;
    for (uint64_t at = 0; at < *size; at += size_of(&record)) {
        if (syscall(SYS_pread64, fd, &record, sizeof record, at) != sizeof record || record.magic != MAGIC ||
            record.version != VERSION || record.counters > *size || record.bitmaps > *size ||
            size_of(&record) > *size - at) {
            *ours = 0;
            return -1;
        }
        if (record.state == state && same_program(&record)) {
            return (int64_t)at;
        }
    }
    return -1;
}

static int64_t append(int fd, uint64_t at) {
    uint64_t end = at + size_of(&mine);
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
    return (int64_t)at;
}

static unsigned char *map(int fd, uint64_t at) {
    long mapped = syscall(SYS_mmap, NULL, mine.counters + mine.bitmaps, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at + PAGE);
    return mapped == -1 ? NULL : (unsigned char *)mapped; // NOLINT: the system call returns addresses as long
}

static void add(unsigned char *to, const uint64_t *counters, const unsigned char *bitmaps) {
    uint64_t *sum = (uint64_t *)to; // NOLINT: whole pages
    for (uint64_t i = 0; i < mine.counters / 8; i++) {
        sum[i] += counters[i];
    }
    for (uint64_t i = 0; i < mine.bitmaps; i++) {
        to[mine.counters + i] |= bitmaps[i];
    }
}

static int move_to(unsigned char *from, uint64_t bytes, void *to) {
    return syscall(SYS_mremap, from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != -1;
}

// Begins a record. What was counted before goes into it, unless there is nothing.
static void begin(const uint64_t *counters, const unsigned char *bitmaps) {
    mine_at = 0;
    int fd = open_locked(O_CREAT);
    if (fd < 0) {
        return;
    }
    uint64_t size;
    int ours;
    int64_t at = find(fd, FREE, &size, &ours);
    if (at < 0 && ours) {
        at = append(fd, size);
    }
    unsigned char *shared = at >= 0 && set_state(fd, (uint64_t)at, RUNNING) ? map(fd, (uint64_t)at) : NULL;
    if (shared != NULL) {
        if (counters != NULL) {
            add(shared, counters, bitmaps);
        }
        if (move_to(shared, mine.counters, __start___llvm_prf_cnts) &&
            move_to(shared + mine.counters, mine.bitmaps, __start___llvm_prf_bits)) {
            mine_at = (uint64_t)at + 1;
        }
    }
    close_unlocked(fd);
}

// Whoever still counts does it for nobody.
static void detach(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    syscall(SYS_mmap, __start___llvm_prf_cnts, mine.counters, PROT_READ | PROT_WRITE, flags, -1, 0);
    syscall(SYS_mmap, __start___llvm_prf_bits, mine.bitmaps, PROT_READ | PROT_WRITE, flags, -1, 0);
    mine_at = 0;
}

// The counts right before a fork: right after it, the parent goes on counting in pages that both see.
static unsigned char *before_fork;

static void forks(void) {
    int saved = errno;
    uint64_t bytes = mine.counters + mine.bitmaps;
    if (before_fork == NULL) {
        long mapped = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        before_fork = mapped == -1 ? NULL : (unsigned char *)mapped; // NOLINT: the system call returns addresses as long
    }
    if (before_fork != NULL) {
        memcpy(before_fork, __start___llvm_prf_cnts, mine.counters);
        memcpy(before_fork + mine.counters, __start___llvm_prf_bits, mine.bitmaps);
    }
    errno = saved;
}

// A child has a record of its own. Without one it must not count into its parent's.
static void forked(void) {
    int saved = errno;
    const unsigned char *bitmaps = before_fork != NULL ? before_fork + mine.counters : NULL;
    begin((const uint64_t *)before_fork, bitmaps); // NOLINT: whole pages
    if (mine_at == 0) {
        detach();
    }
    errno = saved;
}

// Before all other constructors, and after all other destructors.
__attribute__((constructor(101))) static void start(void) {
    // Not in a set-user-ID program: the variable names a file to write.
    path = secure_getenv("OFFSHOOT_COUNTS");
    if (path == NULL || *path == 0) {
        path = NULL;
        return;
    }
    // The program may change its environment.
    path = realpath(path, NULL) ?: strdup(path);
    int saved = errno;
    describe();
    begin(__start___llvm_prf_cnts, __start___llvm_prf_bits);
    if (mine_at != 0) {
        pthread_atfork(forks, NULL, forked);
    }
    errno = saved;
}

// Adds this process to those of the same program that ended before, and frees its record for the next.
__attribute__((destructor(101))) static void stop(void) {
    int fd = mine_at != 0 ? open_locked(0) : -1;
    if (fd < 0) {
        return;
    }
    uint64_t size;
    int ours;
    int64_t sum_at = find(fd, SUM, &size, &ours);
    if (sum_at < 0 && ours) {
        set_state(fd, mine_at - 1, SUM);
    } else if (sum_at >= 0) {
        unsigned char *sum = map(fd, (uint64_t)sum_at);
        if (sum != NULL) {
            add(sum, __start___llvm_prf_cnts, __start___llvm_prf_bits);
            memset(__start___llvm_prf_cnts, 0, mine.counters);
            memset(__start___llvm_prf_bits, 0, mine.bitmaps);
            set_state(fd, mine_at - 1, FREE);
            detach();
        }
    }
    close_unlocked(fd);
}
