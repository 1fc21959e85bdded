// strsep gives empty fields too.
// args: "a,,c"
// cc: -D_GNU_SOURCE
#include <string.h>

int main(int argc, char **argv) {
    char *text = argv[1];
    strsep(&text, ",");
    char *second = strsep(&text, ",");
    if (*second == 0 && text[0] == 'c') //~ branch: arg[1][3] == 'c'
        return 0;
    return 1;
}

//~ libc: arg[1][0] != 0
//~ libc: arg[1][0] != ','
//~ libc: arg[1][1] != 0
//~ libc: arg[1][1] == ','
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] != 0
//~ libc: arg[1][2] == ','
//~ libc: arg[1][2] != 0
//~ sources: arg[1](4)
//~ no-loss
