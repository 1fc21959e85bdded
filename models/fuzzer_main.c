// main() for a program that only has LLVMFuzzerTestOneInput: one run over the file in argv[1], or over standard input.
// Not a model: it is compiled like any program, into an archive of its own.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize) {
        LLVMFuzzerInitialize(&argc, &argv);
    }
    // Options of libFuzzer's own driver mean nothing here.
    int first = 1;
    while (first < argc && argv[first][0] == '-' && argv[first][1] != 0) {
        first++;
    }
    int fd = 0;
    if (first < argc && strcmp(argv[first], "-") != 0) {
        fd = open(argv[first], O_RDONLY);
        if (fd < 0) {
            perror(argv[first]);
            return 1;
        }
    }
    size_t size = 0, room = 4096;
    uint8_t *data = malloc(room);
    while (data) {
        ssize_t n = read(fd, data + size, room - size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            perror("read");
            return 1;
        }
        if (n == 0) {
            break;
        }
        size += (size_t)n;
        if (size == room) {
            room *= 2;
            data = realloc(data, room);
        }
    }
    if (!data) {
        fputs("no memory for the input\n", stderr);
        return 1;
    }
    // A block of exactly that size, so that an access behind the end is one.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) {
        fputs("no memory for the input\n", stderr);
        return 1;
    }
    memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}
