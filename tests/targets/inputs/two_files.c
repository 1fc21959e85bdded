// Two files are two sources.
// file a.txt: "a"
// file b.txt: "b"
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a.txt", "r"), *b = fopen("b.txt", "r");
    if (fgetc(a) == fgetc(b)) //~ branch: file:b.txt[0] != file:a.txt[0]
        return 1;
    return 0;
}

//~ sources: file:a.txt(1) file:b.txt(1)
//~ no-loss
