// The size of a file by stat is concrete, and its buffer too.
// args: a
// file in.txt: "hello\nworld\n"
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
    struct stat info;
    memset(&info, argv[1][0], sizeof info);
    if (stat("in.txt", &info) != 0)
        return 2;
    if (info.st_size == 12 && argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
