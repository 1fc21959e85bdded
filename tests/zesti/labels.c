// All digits lead to the same place, so the path of one number is the path of all of that length.
#include <stdio.h>

static const char names[64] = "one";

static int digit(int c) {
    switch (c) {
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return c - '0';
    case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
        return c - 'a' + 10;
    default:
        return -1;
    }
}

int main(void) {
    int high = digit(getchar()), low = digit(getchar());
    if (high < 0 || low < 0)
        return 0;
    printf("%d\n", names[16 * high + low]);
    return 0;
}
