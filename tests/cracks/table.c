// A lookup in a table.
#include "crack.h"
#include <stdint.h>

static unsigned char table[256];
static uint32_t words[64];

__attribute__((constructor)) static void fill(void) {
    for (int i = 0; i < 256; i++)
        table[i] = (unsigned char)(i * 167 + 13);
    for (uint32_t i = 0; i < 64; i++)
        words[i] = 0x9E3779B1u * i;
}

int main(void) {
    unsigned char in[SEED];
    read_seed(in);
    if (table[in[0]] == 0xC4 && table[in[1]] == table[in[0]] + 1 && words[in[2] & 63] == 0x9E3779B1u * 41)
        OPEN();
    return 0;
}
