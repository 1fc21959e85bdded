// What read did not fill keeps what it was, and what it fills anew is new.
// stdin: "abc"
#include <unistd.h>

int main(void) {
    char a[2];
    if (read(0, a, 2) != 2 || read(0, a, 1) != 1)
        return 2;
    if (a[0] == 'c' && a[1] == 'b')
    //~ branch: stdin[2] == 'c'
    //~ branch: stdin[1] == 'b'
        return 0;
    return 1;
}

//~ sources: stdin(3)
//~ no-loss
