// A handler runs in the middle, with shadows of its own.
// args: ab
#include <signal.h>

static const char *text;
static volatile int seen;

static void handle(int number) {
    if (text[0] == 'a') //~ branch: arg[1][0] == 'a'
        seen = number;
}

int main(int argc, char **argv) {
    text = argv[1];
    signal(SIGUSR1, handle);
    int n = argv[1][1];
    raise(SIGUSR1);
    if (n == 'b' && seen) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
