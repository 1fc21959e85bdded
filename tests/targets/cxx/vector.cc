// std::vector: elements keep their terms.
// args: abc
#include <vector>

int main(int argc, char **argv) {
    std::vector<int> numbers;
    for (int i = 0; i < 3; i++)
        numbers.push_back(argv[1][i]);
    if (numbers[2] == 'c') //~ branch: arg[1][2] == 'c'
        return 0;
    return 1;
}

//~ sources: arg[1](3)
//~ no-loss
