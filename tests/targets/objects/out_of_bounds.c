// An access outside of its object is stated with its offset.
// args: 5
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(4);
    volatile char *q = p + (argv[1][0] - '0');
    q[0] = 1;
    //~ access: (int8)arg[1][0] + ADDRESS; write of 1 bytes at ADDRESS, unknown object
    //~ concretise: (int8)arg[1][0] + ADDRESS == ADDRESS
    return 0;
}

//~ sources: arg[1](1)
//~ no-loss
