// A prefix by strncmp, and what comes behind it.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    in[SEED - 1] = 0;
    if (strncmp((char *)in, "version=", 8) == 0 && strncmp((char *)in + 8, "42;", 3) == 0)
        OPEN();
    return 0;
}
