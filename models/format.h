// Between the printf functions and what understands their formats.
#ifndef OFF_FORMAT_H
#define OFF_FORMAT_H

#include "model.h"

#include <stdarg.h>

// Is there anything to do for us? UNKNOWN: libc must do it, and nobody can tell what is lost.
enum finding { CONCRETE, SYMBOLIC, UNKNOWN };

// Where text goes.
struct sink {
    char *to;
    size_t room, count; // count: also what found no room
    int grows, failed;
};

#pragma GCC visibility push(hidden)
// Looks at the format and at all that it prints.
enum finding off_model_look(const char *format, va_list ap);
// The text, without a NUL at its end. 0 if the format cannot be understood.
int off_model_print(struct sink *s, const char *format, va_list ap);
void off_model_put(struct sink *s, char c);
#pragma GCC visibility pop

#endif
