// One of the names is missing.
#include <stdio.h>

static const char *const names[] = {"zero", "one", NULL, "three"};

int main(void) {
    unsigned char which;
    if (fread(&which, 1, 1, stdin) != 1 || which > 3)
        return 0;
    putchar(names[which][0]);
    return 0;
}
