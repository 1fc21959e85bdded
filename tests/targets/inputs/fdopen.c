// A stream over a descriptor that has moved.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int fd = open("in.txt", O_RDONLY);
    lseek(fd, 6, SEEK_SET);
    FILE *f = fdopen(fd, "r");
    if (fgetc(f) == 'w') //~ branch: file:in.txt[6] == 'w'
        return 0;
    return 1;
}

//~ sources: file:in.txt(7)
//~ no-loss
