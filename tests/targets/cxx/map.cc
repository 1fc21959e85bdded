// std::map and iostreams must build and run.
// args: aba
#include <iostream>
#include <map>

int main(int argc, char **argv) {
    std::map<char, int> count;
    for (const char *p = argv[1]; *p; p++)
        count[*p]++;
    std::cout << count['a'] << std::endl;
    return 0;
}
