// run: 1 0 0
// run: 0 1 1
#include <stdlib.h>

int main(int argc, char **argv) {
    int a = atoi(argv[1]),
        b = atoi(argv[2]),
        c = atoi(argv[3]);

    if (a           // first
        && (b       /* second */
            || c))
    {
        return 1;
    }
    else if (
        !a
        &&
        b

        &&

        c
    )
        return
            2;

    return a
               ? b
                     ? 1
                     : 2
               : 3;
}
