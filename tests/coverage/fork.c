// run: 0
// run: 1
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]), status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(x && argc > 1);
    if (waitpid(child, &status, 0) == child && WIFEXITED(status))
        return WEXITSTATUS(status) || x;
    return 9;
}
