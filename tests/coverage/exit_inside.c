// run: 3
// run: 0
#include <stdlib.h>

static int deeper(int n) {
    if (n == 0 || n > 50)
        exit(4);
    return deeper(n - 1) && n;
}

int main(int argc, char **argv) {
    int r = 0;
    for (int i = 0; i < 3 && r == 0; i++) {
        r = deeper(atoi(argv[1]));
        r++;
    }
    return r;
}
