/* Loaded before a program whose run is repeated: what is random otherwise is the same each time. (expat's hash tables start
   from random bytes, and which entries collide decides which branches are taken.) And what differs between two builds by a
   little does not matter: gnulib's stackvma.c reads the memory map into buffers of 1 and 4 KiB before it takes a larger
   one. So many mappings more and it is too large for those in both. */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

enum { MAPPINGS = 32, PAGE = 4096 };

__attribute__((constructor)) static void map(void)
{
    char *pages = mmap(NULL, MAPPINGS * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int at = 1; pages != MAP_FAILED && at < MAPPINGS; at += 2)
        mprotect(pages + at * PAGE, PAGE, PROT_READ);
}

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
