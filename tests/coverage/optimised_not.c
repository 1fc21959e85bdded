// flags: -O0
// run: 2 3
// run: 3 2
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    unsigned bits = (a > b) << 1 | (a < b && b != 9);
    return bits && (bits & 2 || b) ? (int)bits : 0;
}
