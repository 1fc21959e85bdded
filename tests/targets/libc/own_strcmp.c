// A program that defines a libc function gets its own.
// args: a
#include <string.h>

int strcmp(const char *a, const char *b) {
    return a[0] == 'a' ? 7 : b[0]; //~ branch: arg[1][0] == 'a'
}

int main(int argc, char **argv) {
    if (strcmp(argv[1], "xy") == 7)
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
