// A block whose size is a term: every access to it is a sensitive operation.
// args: 53z
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argv[1][0] - '0', m = argv[1][1] - '0';
    char *p = malloc(n); //~ allocate: (int8)arg[1][0] - '0'; call of malloc
    p[m] = 'x';
    //~[O0] access: (int8)arg[1][1] + ADDRESS; write of 1 bytes at offset 3 of heap block of 5 bytes
    //~[O0] concretise: (int8)arg[1][1] + ADDRESS == ADDRESS
    if (p[m] == 'x')
        return argv[1][2] == 'y';
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
