// run: 0
// run: 6
#include <stdlib.h>

#define MAX(a, b)                                                                                                      \
    ({                                                                                                                 \
        int a_ = (a), b_ = (b);                                                                                        \
        a_ > b_ ? a_ : b_;                                                                                             \
    })

int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    int y = ({
        int t = x;
        if (t > 3 && t < 9)
            t = 1;
        t;
    });
    if (({ x > 2; }) && MAX(x, y) > 4)
        return MAX(MAX(x, 1), y);
    return x || ({ y && x; });
}
