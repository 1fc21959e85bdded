// run: 1
// run: 2
// run: 5
// run: 9
#include <stdlib.h>

static int choose(int x) {
    int n = 0;
    switch (x) {
    case 0:
        n = 1;
        break;
    case 1:
        n = 2;
        // fall through
    case 2:
        n += 3;
        break;
    case 3:
    case 4:
        return 8;
    case 5 ... 7:
        if (n || x == 6)
            n = 9;
        break;
    default:
        n = -1;
    }
    return n;
}

int main(int argc, char **argv) {
    return choose(atoi(argv[1])) & 15;
}
