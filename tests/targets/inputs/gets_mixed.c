// Buffered and unbuffered reads of one stdin keep their places.
// stdin: "abc"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    setvbuf(stdin, 0, _IONBF, 0);
    int c = getchar();
    char d;
    if (read(0, &d, 1) != 1)
        return 2;
    if (c == 'a' && d == 'b')
    //~ branch: stdin[0] == 'a'
    //~ branch: stdin[1] == 'b'
        return 0;
    return 1;
}

//~ sources: stdin(2)
//~ no-loss
