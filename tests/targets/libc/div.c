// div gives quotient and remainder.
// args: a
#include <stdlib.h>

int main(int argc, char **argv) {
    div_t d = div(argv[1][0], 10);
    if (d.quot == 9 && d.rem == 7)
    //~ branch: (int8)arg[1][0] / '\n' == 9
    //~ branch: (concat((int8)arg[1][0] - (int8)arg[1][0] / '\n' * 10, (int8)arg[1][0] / '\n') & 0xffffffff00000000) == 0x700000000
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
