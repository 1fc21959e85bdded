// fgetwc.
// stdin: "ab"
#include <stdio.h>
#include <wchar.h>

int main(void) {
    if (fgetwc(stdin) == L'a')
        return 0;
    return 1;
}
