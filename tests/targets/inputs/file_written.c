// What the program wrote itself is no input, and its terms do not travel through files.
// args: ab
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *f = fopen("out.txt", "w+");
    fputc(argv[1][0], f);
    rewind(f);
    if (fgetc(f) == 'a' && argv[1][1] == 'b') //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
