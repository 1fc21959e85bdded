// stdin opened anew on a file.
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(void) {
    if (!freopen("in.txt", "r", stdin))
        return 2;
    if (getchar() == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(1)
//~ no-loss
