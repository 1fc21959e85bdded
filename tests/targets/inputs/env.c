// A chosen environment variable.
// env MODE=fast
// env OTHER=x
// symbolic: env:MODE
#include <stdlib.h>

int main(void) {
    const char *mode = getenv("MODE");
    if (mode && mode[0] == 'f') //~ branch: env:MODE[0] == 'f'
        return 0;
    return 1;
}

//~ sources: env:MODE(4)
//~ no-loss
