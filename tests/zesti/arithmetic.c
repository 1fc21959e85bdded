// A product that overflows, a shift by too much and a conversion that loses: allowed, and seldom meant.
#include <stdio.h>
#include <unistd.h>

static int scale(int n) {
    return n * 1000000;
}

static int bit(int n) {
    return 1 << n;
}

static unsigned char low(int n) {
    unsigned char c = n;
    return c;
}

int main(void) {
    char text[4] = {0};
    if (read(0, text, 3) != 3)
        return 1;
    int a = text[0] & 15, b = text[1] & 63, c = text[2] & 15;
    printf("%d %d %d\n", scale(a * 300), bit(b), low(c * 40));
    return 0;
}
