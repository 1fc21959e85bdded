// A write through a symbolic index into a heap block.
// args: 3
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(10);
    p[argv[1][0] - '0'] = 1;
    if (p[3] == 1)
        return 0;
    return 1;
}
