// Effects of functions about the system: processes, signals, terminals.
#include "effects.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

FILLS(int, uname, (struct utsname * to), (to), r == 0, to, sizeof *to)
FILLS(int, gethostname, (char *to, size_t n), (to, n), r == 0, to, n)
FILLS(int, getdomainname, (char *to, size_t n), (to, n), r == 0, to, n)
FILLS(int, getrusage, (int who, struct rusage *to), (who, to), r == 0, to, sizeof *to)
FILLS(int, getrlimit, (int which, struct rlimit *to), (which, to), r == 0, to, sizeof *to)
FILLS(int, getrlimit64, (int which, struct rlimit64 *to), (which, to), r == 0, to, sizeof *to)
FILLS(int, prlimit, (pid_t pid, int which, const struct rlimit *new, struct rlimit *old), (pid, which, new, old),
      r == 0, old, sizeof *old)
FILLS(int, prlimit64, (pid_t pid, int which, const struct rlimit64 *new, struct rlimit64 *old), (pid, which, new, old),
      r == 0, old, sizeof *old)
FILLS(size_t, confstr, (int name, char *to, size_t n), (name, to, n), r > 0, to, r < n ? r : n)
FILLS(int, getloadavg, (double *to, int n), (to, n), r > 0, to, (size_t)r * sizeof *to)

// ---- processes and signals

FILLS(pid_t, wait, (int *status), (status), r > 0, status, sizeof *status)
FILLS(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags), r > 0, status, sizeof *status)
FILLS2(pid_t, wait3, (int *status, int flags, struct rusage *usage), (status, flags, usage), r > 0, status,
       sizeof *status, usage, sizeof *usage)
FILLS2(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *usage), (pid, status, flags, usage), r > 0,
       status, sizeof *status, usage, sizeof *usage)
FILLS(int, waitid, (idtype_t type, id_t id, siginfo_t *to, int flags), (type, id, to, flags), r == 0, to, sizeof *to)
FILLS(int, sigaction, (int signal, const struct sigaction *new, struct sigaction *old), (signal, new, old), r == 0, old,
      sizeof *old)
FILLS(int, sigprocmask, (int how, const sigset_t *new, sigset_t *old), (how, new, old), r == 0, old, sizeof *old)
FILLS(int, pthread_sigmask, (int how, const sigset_t *new, sigset_t *old), (how, new, old), r == 0, old, sizeof *old)
FILLS(int, sigpending, (sigset_t * to), (to), r == 0, to, sizeof *to)
FILLS(int, sigwait, (const sigset_t *set, int *to), (set, to), r == 0, to, sizeof *to)
FILLS(int, sigwaitinfo, (const sigset_t *set, siginfo_t *to), (set, to), r > 0, to, sizeof *to)
FILLS(int, sigtimedwait, (const sigset_t *set, siginfo_t *to, const struct timespec *time), (set, to, time), r > 0, to,
      sizeof *to)
FILLS(int, sigaltstack, (const stack_t *new, stack_t *old), (new, old), r == 0, old, sizeof *old)
FILLS(int, sigemptyset, (sigset_t * to), (to), r == 0, to, sizeof *to)
FILLS(int, sigfillset, (sigset_t * to), (to), r == 0, to, sizeof *to)

// The functions with a list of arguments, through those with an array.
int OFF(execv)(const char *, char *const *);
int OFF(execve)(const char *, char *const *, char *const *);
int OFF(execvp)(const char *, char *const *);

static size_t count_arguments(const char *first, va_list original) {
    size_t n = 0;
    va_list ap;
    va_copy(ap, original);
    for (const char *s = first; s; s = va_arg(ap, const char *)) {
        n++;
    }
    va_end(ap);
    return n;
}

static void collect_arguments(char **to, const char *first, va_list *ap) {
    for (const char *s = first; s; s = va_arg(*ap, const char *)) {
        *to++ = (char *)s;
    }
    *to = NULL;
}

#define COLLECT                                                                                                        \
    va_list ap;                                                                                                        \
    va_start(ap, first);                                                                                               \
    char *list[count_arguments(first, ap) + 1];                                                                        \
    collect_arguments(list, first, &ap)

MODEL(int, execl)(const char *path, const char *first, ...) {
    COLLECT;
    va_end(ap);
    return OFF(execv)(path, list);
}

MODEL(int, execlp)(const char *file, const char *first, ...) {
    COLLECT;
    va_end(ap);
    return OFF(execvp)(file, list);
}

MODEL(int, execle)(const char *path, const char *first, ...) {
    COLLECT;
    char *const *environment = va_arg(ap, char *const *);
    va_end(ap);
    return OFF(execve)(path, list, environment);
}

// ---- waiting for descriptors

static void clear_sets(int n, fd_set *a, fd_set *b, fd_set *c) {
    fd_set *sets[] = {a, b, c};
    size_t size = n > 0 ? ((size_t)n + 63) / 64 * 8 : 0;
    for (int i = 0; i < 3; i++) {
        if (sets[i]) {
            __off_clear(sets[i], size);
        }
    }
}

RAW(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *));
RAW(int, pselect, (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *));
RAW(int, poll, (struct pollfd *, nfds_t, int));
RAW(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *));

MODEL(int, select)(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *time) {
    int r = raw_select(n, in, out, other, time);
    if (r >= 0) {
        clear_sets(n, in, out, other);
    }
    if (time) {
        __off_clear(time, sizeof *time);
    }
    return r;
}

MODEL(int, pselect)(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *time, const sigset_t *mask) {
    int r = raw_pselect(n, in, out, other, time, mask);
    if (r >= 0) {
        clear_sets(n, in, out, other);
    }
    return r;
}

static int polled(struct pollfd *fds, nfds_t n, int r) {
    if (r >= 0) {
        for (nfds_t i = 0; i < n; i++) {
            __off_clear(&fds[i].revents, sizeof fds[i].revents);
        }
    }
    return r;
}

MODEL(int, poll)(struct pollfd *fds, nfds_t n, int time) {
    return polled(fds, n, raw_poll(fds, n, time));
}

MODEL(int, ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *time, const sigset_t *mask) {
    return polled(fds, n, raw_ppoll(fds, n, time, mask));
}

FILLS(int, epoll_wait, (int fd, struct epoll_event *to, int n, int time), (fd, to, n, time), r > 0, to,
      (size_t)r * sizeof *to)
FILLS(int, epoll_pwait, (int fd, struct epoll_event *to, int n, int time, const sigset_t *mask),
      (fd, to, n, time, mask), r > 0, to, (size_t)r * sizeof *to)

// ---- terminals

RAW(int, ioctl, (int, unsigned long, ...));

MODEL(int, ioctl)(int fd, unsigned long request, ...) {
    va_list ap;
    va_start(ap, request);
    void *argument = va_arg(ap, void *);
    va_end(ap);
    int r = raw_ioctl(fd, request, argument);
    size_t size = 0;
    switch (request) {
    case TIOCGWINSZ:
        size = sizeof(struct winsize);
        break;
    case FIONREAD:
    case TIOCOUTQ:
    case TIOCGPGRP:
    case TIOCGSID:
    case TIOCMGET:
        size = sizeof(int);
        break;
    case TCGETS:
        size = 36; // the kernel's struct, not libc's
        break;
    default:
        size = _IOC_DIR(request) & _IOC_READ ? _IOC_SIZE(request) : 0;
        break;
    }
    if (r >= 0 && argument && size) {
        __off_clear(argument, size);
    }
    return r;
}

FILLS(int, tcgetattr, (int fd, struct termios *to), (fd, to), r == 0, to, sizeof *to)
FILLS(int, ttyname_r, (int fd, char *to, size_t n), (fd, to, n), r == 0, to, raw_strlen(to) + 1)
FILLS(int, getlogin_r, (char *to, size_t n), (to, n), r == 0, to, raw_strlen(to) + 1)
