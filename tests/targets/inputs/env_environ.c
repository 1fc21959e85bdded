// A chosen variable seen through environ.
// cc: -D_GNU_SOURCE
// env MODE=fast
// symbolic: env:MODE
#include <string.h>
#include <unistd.h>

int main(void) {
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "MODE=", 5) == 0 && (*e)[5] == 'f') //~ branch: env:MODE[0] == 'f'
            return 0;
    return 1;
}

//~ sources: env:MODE(4)
//~ no-loss
