// An access to a block that was freed before says so.
// args: 34
#include <stdlib.h>

int main(int argc, char **argv) {
    char *volatile p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    free(p);
    p[argv[1][1] - '0'] = 1;
    return 0;
}
