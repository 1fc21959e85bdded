// A file by fopen and fgets, the second line.
// file in.txt: "hello\nworld\n"
#include <stdio.h>

int main(void) {
    char line[16];
    FILE *f = fopen("in.txt", "r");
    if (!fgets(line, 16, f) || !fgets(line, 16, f))
        return 2;
    fclose(f);
    if (line[0] == 'w') //~ branch: file:in.txt[6] == 'w'
        return 0;
    return 1;
}

//~ sources: file:in.txt(12)
//~ no-loss
