// fgetwc.
// stdin: "ab"
#include <stdio.h>
#include <wchar.h>

int main(void) {
    if (fgetwc(stdin) == L'a') //~ loss: modelled only in part/fgetwc
        return 0;
    return 1;
}

//~ sources: stdin(0)
