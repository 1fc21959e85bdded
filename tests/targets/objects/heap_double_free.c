// A free of what is not a block is an event.
// args: 31
// exit: signal 6
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    free(p + (argv[1][1] - '0'));
    return 0;
}
