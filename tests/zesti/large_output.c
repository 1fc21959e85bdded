// Much output that comes to its end, and little that never does.
#include <stdio.h>
#include <string.h>

int main(void) {
    static char block[1 << 16];
    memset(block, ' ', sizeof block);
    int letter = getchar();
    if (letter == 'l')
        for (int n = 0; n < 4096; n++)
            fwrite(block, 1, sizeof block, stdout);
    else if (letter == 'e')
        for (;;)
            fwrite(block, 1, sizeof block, stdout);
    return 0;
}
