// Memory that comes back from free is concrete.
// args: ab
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *p = malloc(64);
    memset(p, argv[1][0], 64);
    free(p);
    char *q = malloc(64);
    if (q[40] == argv[1][0] + 1) //~ branch: arg[1][0] != '`'
        return 2;
    q[40] = 0;
    if (q[40] == 0 || argv[1][0] == 'x')
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
