// run: 1
// run: 12
// run: 70
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    if (x < 5) {
        x = 1;
    } else if (x < 10 || x == 50) {
        x = 2;
    } else if (x > 60 && x < 80)
        x = 3;
    else
        x = 4;
    if (x == 4)
        if (argc > 1)
            x = 5;
        else
            x = 6;
    return x;
}
