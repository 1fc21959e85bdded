// F_DUPFD.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c;
    int fd = fcntl(open("in.txt", O_RDONLY), F_DUPFD, 20);
    if (read(fd, &c, 1) != 1)
        return 2;
    if (c == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(1)
//~ no-loss
