// One file chosen by name; the other is concrete.
// file a.txt: "a"
// file b.txt: "b"
// symbolic: file:b.txt
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a.txt", "r"), *b = fopen("b.txt", "r");
    if (fgetc(a) == 'a' && fgetc(b) == 'b') //~ branch: file:b.txt[0] == 'b'
        return 0;
    return 1;
}

//~ sources: file:b.txt(1)
//~ no-loss
