// In a file of its own: the linker warns about every program that has it.
#include "effects.h"

FILLS(char *, tmpnam, (char *to), (to), r, to, raw_strlen(to) + 1)
