// stdin by read, in two pieces.
// stdin: "abc"
#include <unistd.h>

int main(void) {
    char a[2], b[2];
    if (read(0, a, 2) != 2 || read(0, b, 2) != 1)
        return 2;
    if (a[1] == 'b' && b[0] == 'c')
    //~ branch: stdin[1] == 'b'
    //~ branch: stdin[2] == 'c'
        return 0;
    return 1;
}

//~ sources: stdin(3)
//~ no-loss
