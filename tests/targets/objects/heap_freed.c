// An access to a block that was freed before says so.
// args: 3
// cc: -Wno-use-after-free -Wno-unknown-warning-option
#include <stdlib.h>

int main(int argc, char **argv) {
    char *volatile p = malloc(10);
    free(p);
    p[argv[1][0] - '0'] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at ADDRESS, unknown object
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
