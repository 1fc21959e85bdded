// A block whose size is a term: every access to it is a sensitive operation.
// args: 53z
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argv[1][0] - '0', m = argv[1][1] - '0';
    char *p = malloc(n);
    p[m] = 'x';
    if (p[m] == 'x')
        return argv[1][2] == 'y';
    return 1;
}
