// A position in a file.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c;
    int fd = open("in.txt", O_RDONLY);
    lseek(fd, 4, SEEK_SET);
    lseek(fd, 2, SEEK_CUR);
    if (read(fd, &c, 1) != 1)
        return 2;
    if (c == 'w') //~ branch: file:in.txt[6] == 'w'
        return 0;
    return 1;
}

//~ sources: file:in.txt(7)
//~ no-loss
