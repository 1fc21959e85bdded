// A value carried over longjmp.
// args: ab
#include <setjmp.h>

static jmp_buf there;

__attribute__((noinline)) static void jump(int n) {
    if (n == 1) //~ branch: arg[1][1] == 'b'
        longjmp(there, 5);
}

int main(int argc, char **argv) {
    volatile int kept = argv[1][0];
    if (setjmp(there) == 0)
        jump(argv[1][1] - 'a');
    if (kept == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
