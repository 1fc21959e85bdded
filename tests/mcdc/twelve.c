// Twelve decisions of two to six conditions, one for each of the first twelve commands. The comments say which conditions
// can be shown to matter. `explore --criterion mcdc` must find every pair that there is, from eight bytes of 0, and prove
// that there are no others.
#include <stdio.h>

static unsigned char in[8];

static int decide(int command, int a, int b, int c, int d, int e, int f) {
    switch (command) {
    case 1: // Both.
        return a >= 10 && a <= 20;
    case 2: // All three.
        if (a == 'x' && (b == 'y' || c == 'z'))
            return 2;
        break;
    case 3: // All four.
        if ((a > b && b > c) || (c > d && d > e))
            return 4;
        break;
    case 4: // None: the second is false whenever it is evaluated.
        if (a < 10 && a > 20)
            return 8;
        break;
    case 5: // The first: the second is true whenever it is evaluated.
        if (b > 100 && b > 50)
            return 16;
        break;
    case 6: // The first: the second is false whenever it is evaluated.
        if (c < 50 || c < 40)
            return 32;
        break;
    case 7: // All five, in a loop.
        for (int i = 0; i < 3; i++)
            if (in[i] == 1 || (in[i + 1] == 2 && in[i + 2] == 3) || (in[i + 3] == 4 && in[i + 4] == 5))
                return 64;
        break;
    case 8: // All six.
        if ((a & 1) && (b & 2) && (c & 4) && (d & 8) && (e & 16) && (f & 32))
            return 128;
        break;
    case 9: // All six, the other way.
        return a == 7 || b == 7 || c == 7 || d == 7 || e == 7 || f == 7 ? 256 : 0;
    case 10: // Both: sums and products, not bytes.
        while (a < 200 && a + b * c == 300)
            a += 64;
        return a;
    case 11: // The first two: where the third is evaluated, the first has made it false.
        if (d == 9 && (e == 9 || d != 9))
            return 1024;
        break;
    case 12: // The first and the third: 77 is a product of two bytes, but not with 8.
        if (f > 3 && (d * 8 == 77 || e == f))
            return 2048;
        break;
    }
    return 0;
}

int main(void) {
    if (fread(in, 1, sizeof in, stdin) != sizeof in)
        return 2;
    printf("%d\n", decide(in[7], in[0], in[1], in[2], in[3], in[4], in[5]));
    return 0;
}
