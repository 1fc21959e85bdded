// run: 0
// run: 4
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int y = x ?: 7;
    int z = (x > 1 && x < 3) ?: (x || y);
    return y + z;
}
