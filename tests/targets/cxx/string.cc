// std::string: construction and comparison.
// args: abc
#include <string>

int main(int argc, char **argv) {
    std::string text(argv[1], 3);
    if (text[1] == 'b' && text.size() == 3) //~ branch: arg[1][1] == 'b'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
