// btowc and wctob.
// args: a
#include <wchar.h>

int main(int argc, char **argv) {
    if (btowc((unsigned char)argv[1][0]) == L'a' && wctob(argv[1][0]) == 'a') //~ branch: arg[1][0] == 'a' ×2
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
