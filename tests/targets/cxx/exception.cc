// Exceptions thrown and caught; values survive.
// args: ab
#include <stdexcept>

__attribute__((noinline)) static void check(char c) {
    if (c == 'a') //~ branch: arg[1][0] == 'a'
        throw std::runtime_error("a");
}

int main(int argc, char **argv) {
    int n = argv[1][1];
    try {
        check(argv[1][0]);
    } catch (const std::runtime_error &) {
        if (n == 'b') //~ branch: arg[1][1] == 'b'
            return 0;
    }
    return 1;
}

//~ sources: arg[1](2)
//~ no-loss
