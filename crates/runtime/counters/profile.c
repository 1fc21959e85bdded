// The run-time part of variant `cov`: a program that leaves by `_exit` keeps its profile, which clang's run-time library
// writes at `exit` only. A handler of a signal leaves so, and whoever finds standard output closed or full. One that SIGTERM ends
// (`timeout` does that) keeps it, too, unless it handles that signal itself.

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int __llvm_profile_write_file(void);

// What the linker is asked for.
const char __off_profile = 0;

static int ended;

// Behind all functions that are called at `exit`, clang's among them: in a static program `exit` itself comes to `_exit`.
__attribute__((destructor)) static void end(void) {
    ended = 1;
}

_Noreturn void _exit(int status) {
    if (!ended)
        __llvm_profile_write_file();
    for (;;)
        syscall(SYS_exit_group, status);
}

// The signal is blocked here (`timeout` sends it twice) and comes through on return.
static void terminated(int number) {
    __llvm_profile_write_file();
    signal(number, SIG_DFL);
    raise(number);
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction old, ours = {.sa_handler = terminated};
    if (sigaction(SIGTERM, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
        sigaction(SIGTERM, &ours, NULL);
}

_Noreturn void _Exit(int status) {
    _exit(status);
}
