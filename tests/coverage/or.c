// run: 0 0
// run: 0 1
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (a || b) {
        return 1;
    } else {
        return 0;
    }
}
