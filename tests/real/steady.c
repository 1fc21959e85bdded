/* Loaded before a program whose run is repeated: what is random otherwise is the same each time. (expat's hash tables start
   from random bytes, and which entries collide decides which branches are taken.) */
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    (void) flags;
    memset(buffer, 0x5a, length);
    return (ssize_t) length;
}

void arc4random_buf(void *buffer, size_t length)
{
    memset(buffer, 0x5a, length);
}

unsigned arc4random(void)
{
    return 0x5a5a5a5a;
}

int getentropy(void *buffer, size_t length)
{
    memset(buffer, 0x5a, length);
    return 0;
}
