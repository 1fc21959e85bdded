// A symbolic length of read.
// args: 3
// stdin: "xyz!"
#include <unistd.h>

int main(int argc, char **argv) {
    char buffer[64];
    long n = read(0, buffer, argv[1][0] - '0');
    if (n == 3 && buffer[2] == 'z')
        return 0;
    return 1;
}
