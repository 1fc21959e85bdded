// One file opened twice is one source.
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(void) {
    FILE *a = fopen("in.txt", "r"), *b = fopen("in.txt", "r");
    if (fgetc(a) + fgetc(b) == 'h' * 2) //~ branch: file:in.txt[0] + file:in.txt[0] == 208
        return 0;
    return 1;
}

//~ sources: file:in.txt(1)
//~ no-loss
