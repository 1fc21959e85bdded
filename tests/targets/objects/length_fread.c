// A symbolic length of read.
// args: 3
// stdin: "xyz!"
#include <unistd.h>

int main(int argc, char **argv) {
    char buffer[64];
    long n = read(0, buffer, argv[1][0] - '0');
    //~ length: (int8)arg[1][0] - '0'; bytes written at offset 0 of stack object of 64 bytes
    //~ concretise: (int8)arg[1][0] - '0' == 3
    if (n == 3 && buffer[2] == 'z') //~ branch: stdin[2] == 'z'
        return 0;
    return 1;
}

//~ sources: arg[1](1) stdin(3)
//~ no-loss
