// The process becomes another program.
// args: a
#include <unistd.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        execl("/bin/true", "true", (char *)0);
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
//~ incomplete: the process became another program, which was not traced
