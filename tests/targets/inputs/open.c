// A file by open and read.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c[6];
    int fd = open("in.txt", O_RDONLY);
    if (read(fd, c, 6) != 6)
        return 2;
    if (c[0] == 'h' && c[4] == 'o')
    //~ branch: file:in.txt[0] == 'h'
    //~ branch: file:in.txt[4] == 'o'
        return 0;
    return 1;
}

//~ sources: file:in.txt(6)
//~ no-loss
