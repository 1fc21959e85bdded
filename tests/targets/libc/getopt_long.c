// getopt_long compares names.
// args: --level=3
#include <getopt.h>

int main(int argc, char **argv) {
    static const struct option options[] = {{"help", 0, 0, 'h'}, {"level", 1, 0, 'v'}, {0}};
    int option = getopt_long(argc, argv, "hv:", options, 0);
    if (option == 'v' && optarg[0] == '3') //~ branch: arg[1][8] == '3'
        return 0;
    return 1;
}

//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] == '-'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][0] == '-'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] == '-'
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] != '='
//~ libc: arg[1][3] != 0
//~ libc: arg[1][3] != '='
//~ libc: arg[1][4] != 0
//~ libc: arg[1][4] != '='
//~ libc: arg[1][5] != 0
//~ libc: arg[1][5] != '='
//~ libc: arg[1][6] != 0
//~ libc: arg[1][6] != '='
//~ libc: arg[1][7] != 0
//~ libc: arg[1][7] == '='
//~ libc: arg[1][2] != 'h'
//~ libc: arg[1][2] == 'l'
//~ libc: arg[1][3] == 'e'
//~ libc: arg[1][4] == 'v'
//~ libc: arg[1][5] == 'e'
//~ libc: arg[1][6] == 'l'
//~ libc: arg[1][7] != 0
//~ sources: arg[1](9)
//~ no-loss
