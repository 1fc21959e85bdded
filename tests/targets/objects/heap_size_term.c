// A block whose size is a term: every access to it is a sensitive operation.
// args: 53z
#include <stdlib.h>

char *volatile block;

int main(int argc, char **argv) {
    int n = argv[1][0] - '0', m = argv[1][1] - '0';
    block = malloc(n);
    block[m] = argv[1][2];
    if (block[3] == 'z')
        return 0;
    return 1;
}
