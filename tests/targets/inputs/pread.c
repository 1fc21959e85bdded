// pread does not move.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c, d;
    int fd = open("in.txt", O_RDONLY);
    if (pread(fd, &c, 1, 6) != 1 || read(fd, &d, 1) != 1)
        return 2;
    if (c == 'w' && d == 'h')
    //~ branch: file:in.txt[6] == 'w'
    //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(7)
//~ no-loss
