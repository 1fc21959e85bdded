// abs, labs and llabs.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    if (abs(argv[1][0] - 'c') == 2 && labs(argv[1][1] - 'c') == 1)
    //~ branch: ((int32)((int8)arg[1][0] - 'c') < 0 ? 'c' - (int8)arg[1][0] : (int8)arg[1][0] - 'c') == 2
    //~ branch: ((int64)((int8)arg[1][1] - 'c') < 0 ? 'c' - (int8)arg[1][1] : (int8)arg[1][1] - 'c') == 1
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
