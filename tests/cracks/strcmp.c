// A word by strcmp.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    in[SEED - 1] = 0;
    if (strcmp((char *)in, "open sesame") == 0)
        OPEN();
    return 0;
}
