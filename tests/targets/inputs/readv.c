// stdin by readv.
// stdin: "abcd"
#include <sys/uio.h>

int main(void) {
    char a[2], b[2];
    struct iovec parts[] = {{a, 2}, {b, 2}};
    if (readv(0, parts, 2) != 4)
        return 2;
    if (a[0] == 'a' && b[1] == 'd')
    //~ branch: stdin[0] == 'a'
    //~ branch: stdin[3] == 'd'
        return 0;
    return 1;
}

//~ sources: stdin(4)
//~ no-loss
