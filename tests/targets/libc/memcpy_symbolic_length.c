// A symbolic length is a sensitive operation.
// args: ab3d
#include <string.h>

int main(int argc, char **argv) {
    char copy[16] = {0};
    memcpy(copy, argv[1], argv[1][2] - '0');
    //~ length: (int8)arg[1][2] - '0'; bytes written at offset 0 of stack object of 16 bytes
    //~ concretise: (int8)arg[1][2] - '0' == 3
    //~ length: (int8)arg[1][2] - '0'; bytes read at ADDRESS, unknown object
    //~ concretise: (int8)arg[1][2] - '0' == 3
    copy[2] = argv[1][2];
    if (copy[2] == '3') //~ branch: arg[1][2] == '3'
        return 0;
    return 1;
}

//~ sources: arg[1](4)
//~ no-loss
