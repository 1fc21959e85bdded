// One file opened twice is one source.
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(void) {
    FILE *a = fopen("in.txt", "r"), *b = fopen("in.txt", "r");
    if (fgetc(a) + fgetc(b) == 'h' * 2)
        return 0;
    return 1;
}
