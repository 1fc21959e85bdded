// run: 0
// run: 1
#include <stdlib.h>

int main(int argc, char **argv) {
    static void *labels[] = {&&zero, &&one};
    int x = atoi(argv[1]);
    if (x < 0 || x > 1)
        return 9;
    goto *labels[x];
zero:
    return 4;
one:
    return x && argc ? 5 : 6;
}
