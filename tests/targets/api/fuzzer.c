// LLVMFuzzerTestOneInput over standard input.
// cc: -fsanitize=fuzzer
// stdin: "abc"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 3 && data[0] == 'a' && data[2] == 'c')
    //~ branch: stdin[0] == 'a'
    //~ branch: stdin[2] == 'c'
        return 0;
    __builtin_trap();
}

//~ sources: stdin(3)
//~ no-loss
