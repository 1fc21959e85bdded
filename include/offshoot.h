// What a test harness says to Offshoot. A program that nobody traces may call all of it: values then come from the file
// that OFFSHOOT_INPUTS names, or are 0, and memory keeps what it has.
#ifndef OFFSHOOT_H
#define OFFSHOOT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// These bytes are input from here on, under the name `nondet:NAME#k`: k counts the uses of a name from 0.
void offshoot_symbolic(void *address, size_t size, const char *name);

// A number that is input.
signed char offshoot_symbolic_char(const char *name);
short offshoot_symbolic_short(const char *name);
int offshoot_symbolic_int(const char *name);
unsigned offshoot_symbolic_unsigned(const char *name);
long offshoot_symbolic_long(const char *name);
size_t offshoot_symbolic_size(const char *name);
float offshoot_symbolic_float(const char *name);
double offshoot_symbolic_double(const char *name);

// Only inputs for which this holds are of interest: ends the process in silence, with status 0, if it does not.
void offshoot_assume(int condition);

// A finding if it can fail. Aborts if it does.
void offshoot_assert(int condition);

// Is this run being traced?
int offshoot_is_traced(void);

#ifdef __cplusplus
}
#endif

#endif
