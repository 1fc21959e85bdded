// An access to a block that was freed before says so.
// args: 3
// cc: -Wno-use-after-free -Wno-unknown-warning-option
#include <stdlib.h>

int main(int argc, char **argv) {
    char *volatile p = malloc(10);
    free(p);
    p[argv[1][0] - '0'] = 1;
    return 0;
}
