// Zero is looked out for, the quotient that does not fit is not.
#include <stdio.h>

int main(void) {
    int in[2];
    if (fread(in, sizeof in, 1, stdin) != 1 || in[1] == 0)
        return 0;
    printf("%d\n", in[0] / in[1]);
    return 0;
}
