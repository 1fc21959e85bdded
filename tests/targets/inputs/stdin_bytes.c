// Bytes that are no text.
// stdin: "\0\xff\n\x80"
#include <unistd.h>

int main(void) {
    unsigned char c[4];
    if (read(0, c, 4) != 4)
        return 2;
    if (c[0] == 0 && c[1] == 0xff && c[3] == 0x80)
    //~ branch: stdin[0] == 0
    //~ branch: stdin[1] == 255
    //~ branch: stdin[3] == 128
        return 0;
    return 1;
}

//~ sources: stdin(4)
//~ no-loss
