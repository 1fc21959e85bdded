// getopt: which option it is depends on the argument.
// args: -b x
#include <unistd.h>

int main(int argc, char **argv) {
    int option = getopt(argc, argv, "ab:");
    if (option != 'b')
        return 2;
    if (optarg[0] == 'x') //~ branch: arg[2][0] == 'x'
        return 0;
    return 1;
}

//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] != '-'
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] != 'a'
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != ':'
//~ libc: arg[1][1] != ';'
//~ sources: arg[1](2) arg[2](1)
//~ no-loss
