// An exec that fails changes nothing.
// args: a
#include <unistd.h>

int main(int argc, char **argv) {
    execl("/nowhere", "nowhere", (char *)0);
    if (argv[1][0] == 'a') //~ branch: arg[1][0] == 'a'
        return 0;
    return 1;
}

//~ sources: arg[1](1)
//~ no-loss
