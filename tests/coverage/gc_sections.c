// flags: -ffunction-sections -fdata-sections -Wl,--gc-sections
// run: 0
// run: 1
// The linker drops functions and their counters, but not their mapping.
#include <stdlib.h>

int dropped(int a, int b) {
    if (a && b)
        return 1;
    for (int i = 0; i < a; i++)
        b += i;
    return b;
}

int dropped_too(int a) {
    return a ? 1 : 2;
}

int main(int argc, char **argv) {
    return atoi(argv[1]) ? 1 : 2;
}
