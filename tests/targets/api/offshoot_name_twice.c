// A name used twice makes two sources.
#include <offshoot.h>

int main(void) {
    int a = offshoot_symbolic_int("n"), b = offshoot_symbolic_int("n");
    if (a == b)
        return 0;
    return 1;
}
