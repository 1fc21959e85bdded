// run: 1 2 3 4 5 6 7 8
// run: 0 0 0 0 0 0 0 0
// run: 0 0 0 1 0 0 1 0
// run: 1 0 0 1 1 1 1 1
// More than six conditions, and more than eight test vectors.
#include <stdlib.h>

int main(int argc, char **argv) {
    int v[8], n = 0;
    for (int i = 0; i < 8 && i + 1 < argc; i++)
        v[i] = atoi(argv[i + 1]);
    if (v[0] && v[1] && v[2] && v[3] && v[4] && v[5] && v[6] && v[7])
        n += 1;
    if (v[0] || v[1] || v[2] || v[3] || v[4] || v[5] || v[6] || v[7])
        n += 2;
    if ((v[0] || v[1]) && (v[2] || v[3]) && (v[4] || v[5]) && (v[6] || v[7]))
        n += 4;
    if ((v[0] && v[1]) || (v[2] && v[3]) || (v[4] && v[5]) || (v[6] && v[7]))
        n += 8;
    return n;
}
