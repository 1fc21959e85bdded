// gets. In a file of its own: the linker warns about every program that has it.
#include "model.h"

#include <stdio.h>

RAW(void, __chk_fail, (void)) __attribute__((noreturn));
RAW(void, flockfile, (FILE *));
RAW(void, funlockfile, (FILE *));
RAW(int, ferror_unlocked, (FILE *));

int OFF(getc_unlocked)(FILE *);

static char *get_all(char *s, size_t room) {
    FILE *f = stdin;
    raw_flockfile(f);
    int before = f->_flags & 0x20; // _IO_ERR_SEEN; an error of long ago does not count
    f->_flags &= ~0x20;
    size_t count = 0;
    char *result = NULL;
    for (;;) {
        int c = OFF(getc_unlocked)(f);
        if (c == EOF) {
            if (count == 0 || raw_ferror_unlocked(f)) {
                goto out;
            }
            break;
        }
        if (c == '\n') {
            break;
        }
        if (count + 1 >= room) {
            raw___chk_fail();
        }
        s[count++] = (char)c;
    }
    s[count] = 0;
    result = s;
out:
    f->_flags |= before;
    raw_funlockfile(f);
    return result;
}

MODEL(char *, gets)(char *s) {
    return get_all(s, SIZE_MAX);
}

MODEL(char *, __gets_chk)(char *s, size_t room) {
    if (room == 0) {
        raw___chk_fail();
    }
    return get_all(s, room);
}
