// A file put in place of stdin.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c;
    int fd = open("in.txt", O_RDONLY);
    dup2(fd, 0);
    close(fd);
    if (read(0, &c, 1) != 1)
        return 2;
    if (c == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(1)
//~ no-loss
