// realloc keeps terms.
// args: ab
#include <stdlib.h>

int main(int argc, char **argv) {
    char *p = malloc(2);
    p[1] = argv[1][1];
    p = realloc(p, argv[1][0] * 100); //~ allocate: (int8)arg[1][0] * 'd'; call of realloc
    if (p[1] == 'b')
    //~ access: ADDRESS; read of 1 bytes at offset 1 of heap block of 9700 bytes
    //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
