// An access outside of its object is stated with its offset.
// args: 5
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(4);
    volatile char *q = p + (argv[1][0] - '0');
    q[0] = 1;
    return 0;
}
