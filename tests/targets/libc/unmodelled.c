// A function without a model is a loss, with its name.
// args: a
// cc: -lm
#include <math.h>

int main(int argc, char **argv) {
    if (lgamma(argv[1][0]) > 1) //~ loss: not instrumented and not modelled/call of lgamma
        return 0;
    return 1;
}

//~ sources: arg[1](1)
