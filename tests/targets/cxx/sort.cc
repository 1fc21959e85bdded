// std::sort over symbolic elements.
// args: cab
#include <algorithm>

int main(int argc, char **argv) {
    char text[3] = {argv[1][0], argv[1][1], argv[1][2]};
    std::sort(text, text + 3);
    if (text[0] == 'a' && text[2] == 'c')
        return 0;
    return 1;
}
