// run: 0
// run: 3
// run: 6
#include <stdlib.h>

/* Duff's device: cases inside of a loop. */
static int copies(int count) {
    int done = 0, n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            done++;
        case 3:
            done++;
        case 2:
            done++;
        case 1:
            done++;
        } while (--n > 0 && done < 100);
    }
    return done;
}

int main(int argc, char **argv) {
    return copies(atoi(argv[1]));
}
