// siglongjmp out of a signal handler.
// args: ab
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf there;

static void handle(int number) {
    siglongjmp(there, 1);
}

int main(int argc, char **argv) {
    volatile int n = argv[1][0];
    signal(SIGSEGV, handle);
    if (sigsetjmp(there, 1) == 0)
        *(volatile int *)8 = 1;
    if (n == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
