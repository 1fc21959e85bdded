// sigaction with three arguments.
// args: ab
// cc: -D_GNU_SOURCE
#include <signal.h>

static volatile int seen;

static void handle(int number, siginfo_t *info, void *context) {
    seen = info->si_signo;
}

int main(int argc, char **argv) {
    struct sigaction action;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = handle;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    if (argv[1][0] == 'a' && seen == SIGUSR1) //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
