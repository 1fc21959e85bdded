// A file by openat.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c;
    int fd = openat(AT_FDCWD, "in.txt", O_RDONLY);
    if (read(fd, &c, 1) != 1)
        return 2;
    if (c == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(1)
//~ no-loss
