// The process becomes another program.
// args: a
#include <unistd.h>

int main(int argc, char **argv) {
    if (argv[1][0] == 'a')
        execl("/bin/true", "true", (char *)0);
    return 1;
}
