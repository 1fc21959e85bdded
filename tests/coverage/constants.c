// run: 0
// run: 1
#include <stdlib.h>

#define DEBUG 0
enum { ON = 1 };

int main(int argc, char **argv) {
    int x = atoi(argv[1]), n = 0;
    if (1)
        n++;
    if (0)
        n += 100;
    if (DEBUG && x)
        n += 2;
    if (x || ON)
        n += 4;
    if (x && 1 && sizeof(int) == 4)
        n += 8;
    if (0 && x && n)
        n += 16;
    while (1) {
        if (n++ > 20 || DEBUG)
            break;
    }
    return DEBUG ? x : n;
}
