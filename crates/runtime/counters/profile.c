// The run-time part of variant `cov`: a program that leaves by `_exit` keeps its profile, which clang's run-time library
// writes at `exit` only. A handler of a signal leaves so, and whoever finds standard output closed or full.

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int __llvm_profile_write_file(void);

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

_Noreturn void _Exit(int status) {
    _exit(status);
}
