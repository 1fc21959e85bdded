// An exit status that depends on the input.
// args: ab
// exit: 5
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argv[1][1] == 'x') //~ branch: arg[1][1] != 'x'
        return 1;
    exit(argv[1][0] - 'a' + 5); //~ concretise: (int8)arg[1][0] - '\\' == 5
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
