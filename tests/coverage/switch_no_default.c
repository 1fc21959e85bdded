// run: 1
// run: 7
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]), y = 0;
    switch (x > 3 && x < 9) {
    case 1:
        y = 4;
    }
    switch (x) {
    case 1:
        y++;
    case 7:
        y++;
    }
    switch (y) {
    default:
        return y;
    }
}
