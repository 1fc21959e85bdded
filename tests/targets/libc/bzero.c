// bzero and bcopy.
// args: abcd
#include <strings.h>

int main(int argc, char **argv) {
    char copy[4];
    bcopy(argv[1], copy + 1, 3);
    bzero(copy, 1);
    if (copy[0] == 0 && copy[1] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
