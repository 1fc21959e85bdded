// In a file of its own: the linker warns about every program that has it.
#include "effects.h"

RAW(char *, mktemp, (char *));

MODEL(char *, mktemp)(char *template) {
    string_goes(template, "mktemp");
    char *r = raw_mktemp(template);
    clear_string(template);
    return r;
}
