// A table of libc functions, initialised statically.
// args: abc
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    int (*call)(const char *, const char *);
} table[] = {{"exact", strcmp}, {"folded", strcasecmp}};

int main(int argc, char **argv) {
    char text[4];
    memcpy(text, argv[1], 4);
    if (table[0].call(text, "abc") == 0)
        return 0;
    return 1;
}

//~ libc: arg[1][0] == 'a'
//~ libc: arg[1][0] != 0
//~ libc: arg[1][1] == 'b'
//~ libc: arg[1][1] != 0
//~ libc: arg[1][2] == 'c'
//~ libc: arg[1][2] != 0
//~ sources: arg[1](3)
//~ no-loss
