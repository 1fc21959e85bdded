// A block whose size is a term: every access to it is a sensitive operation.
// args: 53z
#include <stdlib.h>

char *volatile block;

int main(int argc, char **argv) {
    int n = argv[1][0] - '0', m = argv[1][1] - '0';
    block = malloc(n); //~ allocate: (int8)arg[1][0] - '0'; call of malloc
    block[m] = argv[1][2];
    //~ access: (int8)arg[1][1] + ADDRESS; write of 1 bytes at offset 3 of heap block of 5 bytes
    //~ concretise: (int8)arg[1][1] + ADDRESS == ADDRESS
    if (block[3] == 'z')
    //~ access: ADDRESS; read of 1 bytes at offset 3 of heap block of 5 bytes
    //~ branch: arg[1][2] == 'z'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
