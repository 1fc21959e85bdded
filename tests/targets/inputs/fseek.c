// fseek, ftell and rewind.
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(void) {
    FILE *f = fopen("in.txt", "r");
    fseek(f, -6, SEEK_END);
    if (ftell(f) != 6 || fgetc(f) != 'w') //~ branch: file:in.txt[6] == 'w'
        return 1;
    rewind(f);
    if (fgetc(f) == 'h') //~ branch: file:in.txt[0] == 'h'
        return 0;
    return 1;
}

//~ sources: file:in.txt(7)
//~ no-loss
