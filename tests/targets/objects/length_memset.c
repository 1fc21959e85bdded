// A symbolic length of memset.
// args: a5
#include <string.h>

int main(int argc, char **argv) {
    char buffer[200];
    memset(buffer, 0, (unsigned char)argv[1][0]);
    //~ length: arg[1][0]; bytes written at offset 0 of stack object of 200 bytes
    //~ concretise: arg[1][0] == 'a'
    if (buffer[argv[1][1] - '0'] == 0)
    //~ access: (int8)arg[1][1] + ADDRESS; read of 1 bytes at offset 5 of stack object of 200 bytes
    //~ branch: table0<200>[(int8)arg[1][1] - '0'] == 0
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
