// The child runs on; the trace stays the parent's.
// args: ab
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    pid_t child = fork();
    if (child == 0)
        _exit(argv[1][0] == 'a' ? 7 : 8);
    int status;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 7 && argv[1][1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
//~ incomplete: the process forked; its children were not traced
