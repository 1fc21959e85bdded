/* A flag in the header that no test sets, far from everything sensitive: a dozen decisions on the body lie between it and
   the first table lookup. */
#include <stdio.h>
#include <stdlib.h>

static const char digits[] = "0123456789abcdef";

struct extra { int length; };

int main(void)
{
    unsigned char text[16];
    if (fread(text, 1, sizeof text, stdin) != sizeof text)
        return 1;
    // Nobody asked for it; the compiler must not know.
    struct extra *volatile extra = NULL;
    if (text[0] & 4)
        extra->length = text[1];
    int large = 0;
    for (int i = 2; i < 14; i++)
        if (text[i] > 100)
            large++;
    printf("%d %c\n", large, digits[text[15] & 15]);
    return 0;
}
