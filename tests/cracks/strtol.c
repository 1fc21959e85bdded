// A number by strtol.
#include "crack.h"

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    in[SEED - 1] = 0;
    char *end;
    long value = strtol((char *)in, &end, 10);
    if (value == -98765 && *end == ';')
        OPEN();
    return 0;
}
