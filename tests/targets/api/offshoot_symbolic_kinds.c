// Numbers of every kind; without a file they are 0.
#include <offshoot.h>

int main(void) {
    if (offshoot_symbolic_char("c") || offshoot_symbolic_short("s") || offshoot_symbolic_unsigned("u"))
        return 1;
    if (offshoot_symbolic_long("l") || offshoot_symbolic_size("z"))
        return 2;
    if (offshoot_symbolic_float("f") == 0 && offshoot_symbolic_double("d") < 1)
        return 0;
    return 3;
}
