// mbrtowc in C.UTF-8: two bytes, one character.
// args: "\xc3\xa4"
#include <wchar.h>
#include <locale.h>
#include <string.h>

int main(int argc, char **argv) {
    wchar_t w = 0;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 2;
    if (mbrtowc(&w, argv[1], 2, &state) == 2 && w == 0xe4) //~ branch: (arg[1][1] & '?' | (arg[1][0] & 31) << 6) == 228
        return 0;
    return 1;
}

//~ libc: (int8)arg[1][0] <= -1
//~ libc: arg[1][0] >= 194
//~ libc: arg[1][0] < 224
//~ libc: (arg[1][1] & 192) == 128
//~ sources: arg[1](2)
//~ no-loss
