// A file mapped into memory.
// file in.txt: "hello\nworld\n"
#include <fcntl.h>
#include <sys/mman.h>

int main(void) {
    int fd = open("in.txt", O_RDONLY);
    const char *p = mmap(0, 12, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return 2;
    if (p[6] == 'w' && p[11] == '\n')
    //~ branch: file:in.txt[6] == 'w'
    //~ branch: file:in.txt[11] == '\n'
        return 0;
    return 1;
}

//~ sources: file:in.txt(12)
//~ no-loss
