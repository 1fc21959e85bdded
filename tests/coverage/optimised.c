// flags: -O3
// run: 12
// run: 0
#include <stdlib.h>

static int table[16];

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < 16; i++)
        if (i < n || i == 15)
            table[i] = i > 3 && i % 2 ? i : -i;
    int sum = 0;
    for (int i = 0; i < 16 && table[i] <= 5; i++)
        sum += table[i];
    return sum & 63;
}
