// run: 0
// run: 3
// run: 12
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]), tries = 0;
again:
    if (x > 10 && tries < 3) {
        x--;
        tries++;
        goto again;
    }
    if (x == 0)
        goto out;
    if (x == 3 || x == 4)
        goto fail;
    x = 1;
out:
    return x;
fail:
    tries = 9;
    return tries;
}
