// Fields of nested structures behind a tag.
#include "crack.h"
#include <stdint.h>

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    struct Inner { uint16_t kind; uint16_t length; };
    struct Outer { uint8_t tag; struct Inner first; struct { struct Inner deep[2]; uint32_t crc; } rest; } __attribute__((packed)) outer;
    memcpy(&outer, in, sizeof outer);
    if (outer.tag == 0x7F && outer.first.kind == 3 && outer.first.length == sizeof outer)
        if (outer.rest.deep[1].length == outer.rest.deep[0].length + 1 && outer.rest.deep[0].kind == 0x0B0B)
            if (outer.rest.crc == (outer.first.kind ^ 0xABCD1234u))
                OPEN();
    return 0;
}
