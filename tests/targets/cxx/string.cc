// std::string: construction and comparison.
// args: abc
#include <string>

int main(int argc, char **argv) {
    std::string text(argv[1], 3);
    if (text[1] == 'b' && text.size() == 3)
        return 0;
    return 1;
}
