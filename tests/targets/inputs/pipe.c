// What comes through a pipe is no input, and terms do not travel through it.
// args: ab
#include <unistd.h>

int main(int argc, char **argv) {
    int ends[2];
    char c = argv[1][0], d = 0;
    if (pipe(ends) != 0 || write(ends[1], &c, 1) != 1 || read(ends[0], &d, 1) != 1)
        return 2;
    if (d == 'a' && argv[1][1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
