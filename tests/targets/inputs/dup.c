// A copy of a descriptor shares its position.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c, d;
    int fd = open("in.txt", O_RDONLY), other = dup(fd);
    if (read(fd, &c, 1) != 1 || read(other, &d, 1) != 1)
        return 2;
    if (c == 'h' && d == 'e')
    //~ branch: file:in.txt[0] == 'h'
    //~ branch: file:in.txt[1] == 'e'
        return 0;
    return 1;
}

//~ sources: file:in.txt(2)
//~ no-loss
