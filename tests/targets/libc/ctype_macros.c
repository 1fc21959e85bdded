// The forms of ctype.h that read glibc's tables.
// args: 7
#include <ctype.h>

int main(int argc, char **argv) {
    if ((*__ctype_b_loc())[(unsigned char)argv[1][0]] & (unsigned short)_ISdigit)
    //~ access: (arg[1][0] << 1) + ADDRESS; read of 2 bytes at ADDRESS, unknown object
    //~ concretise: (arg[1][0] << 1) + ADDRESS == ADDRESS
    //~ loss: symbolic address into a large or unknown object/
        return 0;
    return 1;
}

//~ sources: arg[1](1)
