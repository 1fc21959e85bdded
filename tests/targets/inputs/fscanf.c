// A file by fscanf.
// file in.txt: "7,-3"
#include <stdio.h>

int main(void) {
    int a, b;
    FILE *f = fopen("in.txt", "r");
    if (fscanf(f, "%d,%d", &a, &b) != 2)
        return 2;
    if (a == 7 && b == -3)
    //~ branch: file:in.txt[0] == '7'
    //~ branch: file:in.txt[3] == '3'
        return 0;
    return 1;
}

//~ sources: file:in.txt(4)
//~ no-loss
