// Two files are two sources.
// file a.txt: "a"
// file b.txt: "b"
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a.txt", "r"), *b = fopen("b.txt", "r");
    if (fgetc(a) == fgetc(b))
        return 1;
    return 0;
}
