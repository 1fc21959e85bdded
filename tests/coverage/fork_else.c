// What parent and child do is told apart by differences of counts.
// run: 0
// run: 1
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_child(int x) {
    if (x > 0)
        return 3;
    return 4;
}

int main(int argc, char **argv) {
    int x = atoi(argv[1]), status = 0;
    for (int i = 0; i < 3; i++)
        status += argc;
    pid_t child = fork();
    if (child == 0) {
        exit(in_child(x));
    } else {
        status = 0;
        if (waitpid(child, &status, 0) != child)
            return 9;
    }
    return WEXITSTATUS(status) > 3 && x == 0 ? 1 : 0;
}
