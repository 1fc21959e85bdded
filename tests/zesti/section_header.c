// ZESTI's second case study: the size of an entry is computed from two fields of the header, and may be zero.
#include <stdio.h>
#include <string.h>

struct header {
    char magic[4];
    unsigned section_size;
    unsigned char address_size, segment_size;
};

int main(void) {
    struct header h;
    if (fread(&h, 1, 10, stdin) != 10 || memcmp(h.magic, "SECT", 4) != 0) {
        puts("no section");
        return 0;
    }
    unsigned entry = 2u * h.address_size + h.segment_size;
    if (h.section_size % entry != 0)
        puts("odd size");
    else
        puts("fine");
    return 0;
}
