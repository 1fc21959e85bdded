// A symbolic length of memset.
// args: a5
#include <string.h>

int main(int argc, char **argv) {
    char buffer[200];
    memset(buffer, 0, (unsigned char)argv[1][0]);
    if (buffer[argv[1][1] - '0'] == 0)
        return 0;
    return 1;
}
