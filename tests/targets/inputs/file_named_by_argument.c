// The name of a file comes from an argument.
// args: in.txt
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *f = fopen(argv[1], "r");
    if (!f)
        return 2;
    if (fgetc(f) == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: arg[1](6) file:in.txt(1)
//~ no-loss
