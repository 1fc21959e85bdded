// assert is a condition.
// args: ab
#include <assert.h>

int main(int argc, char **argv) {
    assert(argv[1][0] != 'b'); //~ branch: arg[1][0] != 'b'
    assert(argv[1][1] == 'b'); //~ branch: arg[1][1] == 'b'
    return 0;
}

//~ sources: arg[1](2)
//~ no-loss
