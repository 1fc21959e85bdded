// All of standard input in memory, and how often to work on it: what every subject's main begins with.
#ifndef INPUT_H
#define INPUT_H
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned char *input;
static size_t input_size;
static int repetitions = 1;

static inline void read_input(int argc, char **argv) {
    if (argc > 1) {
        repetitions = atoi(argv[1]);
    }
    size_t room = 1 << 20;
    input = malloc(room);
    ssize_t n;
    while (input && input_size < room && (n = read(0, input + input_size, room - input_size)) > 0) {
        input_size += (size_t)n;
    }
}
#endif
