// LLVMFuzzerTestOneInput over a file.
// args: in.bin
// cc: -fsanitize=fuzzer
// file in.bin: "abc"
// symbolic: file
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 3 && data[0] == 'a') //~ branch: file:in.bin[0] == 'a'
        return 0;
    __builtin_trap();
}

//~ sources: file:in.bin(3)
//~ no-loss
