// flags: -std=c11
// run: 3
// run: 0
#include <stdlib.h>

#define KIND(x) _Generic((x), int : (x) > 1 && (x) < 9, double : 0, default : 2)

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    _Static_assert(sizeof(int) == 4 && sizeof(char) == 1, "sizes");
    int n = sizeof(x && argc) == 4 ? KIND(x) : 0;
    int table[(2 > 1 && 3 > 2) + 1];
    table[0] = n;
    int variable[x > 0 && argc > 0 ? x : 1];
    variable[0] = table[0];
    return variable[0] || KIND(1.5);
}
