// offshoot_symbolic makes bytes input.
#include <offshoot.h>

int main(void) {
    char text[4] = "abc";
    offshoot_symbolic(text, 3, "text");
    if (text[1] == 'b') //~ branch: nondet:text#0[1] == 'b'
        return 0;
    return 1;
}

//~ sources: nondet:text#0(3)
//~ no-loss
