// measure RUNS INPUT PROGRAM ARGS…: runs the program with the file as standard input; prints a line for each run:
// CPU seconds (user and system), largest resident set in bytes, wait status.
//
// In C and small: a process's largest resident set is never below that of the process that started it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double seconds(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: measure RUNS INPUT PROGRAM ARGS...\n");
        return 2;
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, argv[2], O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    for (int left = atoi(argv[1]); left > 0; left--) {
        pid_t pid;
        int status;
        struct rusage used;
        if (posix_spawn(&pid, argv[3], &files, NULL, argv + 3, environ) != 0 || wait4(pid, &status, 0, &used) != pid) {
            perror(argv[3]);
            return 2;
        }
        printf("%.6f %ld %d\n", seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss * 1024, status);
    }
    return 0;
}
